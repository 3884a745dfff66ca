import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { writePrivateFiles } from '../common/private-folder.js';
import { portOfDemo } from '../config/demo-port.js';
import { lookAround } from './look-around.js';
import { Difference, heading, step } from './report.js';
import { type Service, startService } from './service.js';
import { tour } from './tour.js';

const CLI = path.resolve(import.meta.dirname, '../cli/cli.js');
const KEEP = process.argv.includes('--keep');

async function demo(): Promise<void> {
  const start = performance.now();
  console.log('');
  const service = await step(
    'Service started',
    () => startService(KEEP ? portOfDemo() : undefined),
    ({ url }) => `${url}, nothing is kept`,
  );
  try {
    const toured = await tour(service);
    if (KEEP) return await lookAround(service, toured);
    await service.stop();
    await askDoctor(service);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    heading(`All as it should be, in ${seconds} s. To look around: npm run demo -- --keep`);
  } finally {
    await service.stop();
  }
}

/** The embedded database allows one process at a time, so the service has stopped before. */
async function askDoctor({ databaseUrl }: Service): Promise<void> {
  await step(
    'The doctor has looked',
    () =>
      promisify(execFile)(process.execPath, [CLI, 'doctor'], {
        env: { DATABASE_URL: databaseUrl },
      }),
    ({ stdout }) => stdout.trim().split('\n').at(-1)!,
  );
}

writePrivateFiles();

// The exit runs the hook that also stops the service.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(KEEP ? 0 : 1));

await demo().catch((error: unknown) => {
  const { message, stack } = error as Error;
  console.error(`\n${error instanceof Difference ? `Not as it should be: ${message}` : stack}`);
  process.exitCode = 1;
});
