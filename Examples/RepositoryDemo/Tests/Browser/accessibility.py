"""A page as a screen reader sees it: Chromium's own tree of roles and names."""

# Interactive elements and landmarks; each must have a name.
NAMED = {"button", "link", "textbox", "searchbox", "checkbox", "navigation", "complementary", "region",
         "article", "group", "heading", "list", "table"}
# The elements of a README are its author's, and lists of facts are read with what is around them.
MAY_BE_NAMELESS = {"list", "table", "checkbox"}


class Tree:
    """The tree of one page: for each node its role, its name, and its ancestors."""

    def __init__(self, page):
        nodes = page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        self.byid = {node["nodeId"]: node for node in nodes}
        self.nodes = [node for node in nodes if not node["ignored"]]

    def role(self, node):
        return node.get("role", {}).get("value", "")

    def name(self, node):
        return " ".join(node.get("name", {}).get("value", "").split())

    def value(self, node, name):
        """A property, such as `pressed` or `level`."""
        for one in node.get("properties", []):
            if one["name"] == name:
                return one["value"].get("value")
        return None

    def around(self, node):
        while node := self.byid.get(node.get("parentId")):
            yield node

    def all(self, role):
        return [node for node in self.nodes if self.role(node) == role]

    def names(self, role):
        return [self.name(node) for node in self.all(role)]

    def has(self, role, name):
        return name in self.names(role)

    def complaints(self):
        """The problems of the page, in words."""
        found = [f"a {self.role(node)} without a name" for node in self.nodes
                 if self.role(node) in NAMED - MAY_BE_NAMELESS and not self.name(node)]
        for role in ["main", "banner"]:
            if (count := len(self.all(role))) != 1:
                found.append(f"{count} times {role}")
        levels = [int(self.value(node, "level")) for node in self.all("heading")]
        if not levels or levels[0] != 1 or levels.count(1) != 1:
            found.append(f"the headings are of the levels {levels}")
        found += [f"a heading of the level {after} after one of {before}"
                  for before, after in zip(levels, levels[1:]) if after > before + 1]
        for node in self.all("listitem"):
            if not any(self.role(one) == "list" for one in self.around(node)):
                found.append("an item outside of a list")
        for role in ["button", "link"]:
            for node in self.all(role):
                if any(self.role(one) in ("button", "link") for one in self.around(node)):
                    found.append(f"{self.name(node)} is in something else that can be pressed")
        return found
