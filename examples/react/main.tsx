import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { SignIn } from "./sign_in.tsx";
import { latchkey, useSession } from "./use_session.ts";

function App() {
  const session = useSession();
  if (!session) return <SignIn />;
  return (
    <p>
      You are signed in. <button onClick={() => void latchkey().POST("/auth/logout")}>Sign out</button>
    </p>
  );
}

const root = document.querySelector("#root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
