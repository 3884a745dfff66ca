/** Ends with 0 while the service of these settings lives, else with 1: a health check where there is no curl. */
const { HOST, PORT } = process.env;
const host = !HOST || ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST;
const address = `${host.includes(':') ? `[${host}]` : host}:${PORT || 3000}`;

const isLive = await fetch(`http://${address}/health/live`, { signal: AbortSignal.timeout(4_000) })
  .then(({ ok }) => ok)
  .catch(() => false);
process.exit(isLive ? 0 : 1);
