/** Redoc's colors for dark pages; its own are for white ones. */
export const darkTheme = {
  colors: {
    // White text stands on it, and it stands on white.
    primary: { main: "#2d6cdf", light: "#8ab8ff" },
    success: { main: "#6fcf7f", light: "#a3e0ad" },
    error: { main: "#ff9a92" },
    gray: { 50: "#1f2629", 100: "#293135" },
    text: { primary: "#e4e9e6", secondary: "#b6c1bc" },
    border: { dark: "rgba(255, 255, 255, 0.18)", light: "#3a4347" },
    responses: {
      success: { backgroundColor: "#16291b" },
      error: { backgroundColor: "#301c1c" },
      info: { backgroundColor: "#1a282f" },
    },
  },
  schema: { linesColor: "#5c6b73", nestedBackground: "#1b2124" },
  typography: {
    code: { color: "#ffb1a8", backgroundColor: "rgba(255, 255, 255, 0.08)" },
    links: { color: "#8ab8ff" },
  },
  sidebar: { backgroundColor: "#1b2124", textColor: "#e4e9e6", activeTextColor: "#8ab8ff" },
  rightPanel: {
    backgroundColor: "#0e1213",
    servers: {
      overlay: { backgroundColor: "#1f2629", textColor: "#e4e9e6" },
      url: { backgroundColor: "#293135" },
    },
  },
  fab: { backgroundColor: "#293135", color: "#8ab8ff" },
};
