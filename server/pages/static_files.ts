import express from "express";
import { join } from "node:path";

/** Serves the files of the pages, which every page shares. They carry an ETag, so a new version is seen within the hour. */
export const staticFiles = express.static(join(import.meta.dirname, "../../web/static"), {
  ...{ index: false, redirect: false, dotfiles: "ignore", maxAge: "1 hour" },
});
