"use strict";

const form = document.querySelector("form");

async function show(key) {
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  const answer = await fetch("openapi.json", { headers });
  form.hidden = answer.ok;
  if (!answer.ok) {
    const told = key ? "This key is not valid here." : "";
    form.querySelector("[role=status]").textContent = told;
    return;
  }
  SwaggerUIBundle({
    spec: await answer.json(),
    dom_id: "#document",
    validatorUrl: null,
    requestInterceptor: (request) => {
      Object.assign(request.headers, headers);
      return request;
    },
  });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  show(form.querySelector("input").value);
});
show("");
