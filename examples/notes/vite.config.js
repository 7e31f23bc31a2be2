// Sends the page's requests to Latchkey, as a reverse proxy does in production.
const latchkey = "http://localhost:3000";
export default { server: { proxy: { "/api": latchkey, "/v1": { target: latchkey, ws: true } } } };
