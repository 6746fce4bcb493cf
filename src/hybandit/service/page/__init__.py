"""The page: all loops at a glance, and each as it learns."""
