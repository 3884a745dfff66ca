/** A process of the service, some minutes ahead, that is killed while it imports a file. */
import { BankImportService } from '../../src/bank/import/import.service.js';
import { BankFileRepository } from '../../src/database/bank/files/bank-file.repository.js';
import { TestApp } from './app.js';

const MINUTE_MS = 60_000;

const [url, text, minutes] = process.argv.slice(2) as [string, string, string];
const database = { url, isPostgres: true, drop: async () => {} };
const app = await TestApp.start({ database });
app.clock.set(new Date(Date.now() + Number(minutes) * MINUTE_MS));
app.get(BankFileRepository).insert = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};
const options = { mode: 'test', name: 'a.xml', source: 'folder' } as const;
const { result } = await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
process.stdout.write(result);
await app.stop();
