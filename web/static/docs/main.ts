import { curlSample, type Operation, type SecurityScheme } from "./code_samples.ts";
import { darkTheme } from "./dark_theme.ts";

interface OpenApi {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation & { "x-codeSamples"?: unknown[] }>>;
  components: { securitySchemes: Record<string, SecurityScheme> };
}

declare const Redoc: {
  init(document: OpenApi, options: Record<string, unknown>, element: Element | null): void;
};

/** The API reference: Redoc shows the document, with commands that call the server that the page came from. */
const response = await fetch("/api/v1/openapi.json");
const openApi = (await response.json()) as OpenApi;
const { origin } = location;
openApi.servers = [{ url: origin }];
for (const [path, methods] of Object.entries(openApi.paths))
  for (const [method, operation] of Object.entries(methods))
    operation["x-codeSamples"] = [
      {
        lang: "Shell",
        label: "curl",
        source: curlSample(origin + path, method, operation, openApi.components.securitySchemes),
      },
    ];

const dark = matchMedia("(prefers-color-scheme: dark)");
// Redoc takes its colors once.
dark.addEventListener("change", () => location.reload());

Redoc.init(
  openApi,
  {
    hideDownloadButtons: true,
    jsonSamplesExpandLevel: 3,
    nativeScrollbars: true,
    sortTagsAlphabetically: false,
    ...(dark.matches && { theme: darkTheme }),
  },
  document.querySelector("#reference"),
);
