// The tables that this device has been at: a list of links, kept on the device alone.

import { stored } from "../site/store.js";

const list = document.getElementById("tables-been");
const kept = stored("localStorage", "suanfan.tables");
for (const table of Array.isArray(kept) ? kept : []) {
  if (!/^\/([\w-]+\/)?t\/[\w-]+\/$/.test(table?.address)) continue;
  const link = document.createElement("a");
  link.href = table.address;
  const day = new Date(table.at).toLocaleString(document.documentElement.lang);
  link.textContent = [table.names, day].filter(Boolean).join(" · ");
  const row = document.createElement("li");
  row.append(link);
  list.querySelector("ul").append(row);
  list.hidden = false;
}
