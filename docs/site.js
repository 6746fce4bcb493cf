// The theme gives its search dialogue no name; screen readers need one.
document.querySelectorAll(".md-search[role=dialog]").forEach((each) => each.setAttribute("aria-label", "Search"));

// Tables, drawings and code that are wider than the page scroll by keyboard too; the theme wraps tables late.
const reach = () =>
  document.querySelectorAll('.md-typeset__scrollwrap, .md-typeset pre > code, p:has(> img[src$=".svg"])').forEach((each) => {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
  });
addEventListener("resize", reach);
document$.subscribe(() => {
  reach();
  new MutationObserver(reach).observe(document.body, { childList: true, subtree: true });
});
