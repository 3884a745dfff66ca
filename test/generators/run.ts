import { live, type Shop } from './story.js';

/** Lives an order's life with one client: `run.js NAME URL KEY`. */
const [name, url, key] = process.argv.slice(2) as [string, string, string];
const client = (await import(`./${name}.js`)) as { shopAt(url: string, key: string): Shop };
await live(client.shopAt(url, key), name);
