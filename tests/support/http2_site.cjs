// A page over TLS that says by which version of HTTP it was asked for. It ends with its stdin.
const { readFileSync } = require("node:fs");
const { createSecureServer } = require("node:http2");

const pem = readFileSync(process.argv[2]);
const server = createSecureServer({ key: pem, cert: pem, allowHTTP1: true }, (request, response) => {
  response.setHeader("content-type", "text/html");
  response.end(`<p>by HTTP/${request.httpVersion}`);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume().on("end", () => process.exit());
