/** A process of the service that looks at lines of banks, and that ends where it comes to one with a certain text. */
import { MatcherService } from '../../src/bank/matching/matcher.service.js';
import { OrderFinder } from '../../src/bank/matching/order-finder.js';
import { TestApp } from './app.js';

const [url, deadly] = process.argv.slice(2) as [string, string];
const database = { url, isPostgres: true, drop: async () => {} };
const app = await TestApp.start({ database, realTime: true });
const finder = app.get(OrderFinder);
const around = finder.around.bind(finder);
finder.around = (lines) => {
  if (lines.some(({ text }) => text === deadly)) process.kill(process.pid, 'SIGKILL');
  return around(lines);
};
await app.get(MatcherService).matchNew();
await app.stop();
