import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../config/config.js';
import { SCOPES } from '../database/entities/api-key.entity.js';
import { ApiKeysService } from './api-keys.service.js';
import { MerchantsService } from './merchants.service.js';

const DEMO_MERCHANTS = [
  { name: 'Nordlicht Store', colour: '0b4f9e', contactUrl: 'mailto:help@nordlicht.example' },
  { name: 'Café Zitrone', colour: '8a4b08', contactUrl: 'https://zitrone.example/help' },
];

/** With `DEMO=1`, fills an empty database with two merchants and writes their keys to `DEMO_FILE`. */
@Injectable()
export class DemoSeed implements OnApplicationBootstrap {
  private readonly logger = new Logger('demo');

  constructor(
    private readonly config: Config,
    private readonly merchants: MerchantsService,
    private readonly keys: ApiKeysService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.demo || (await this.merchants.count()) > 0) return;
    const merchants = [];
    for (const demo of DEMO_MERCHANTS) {
      const { id, name } = await this.merchants.create(demo);
      const { secret } = await this.keys.create({
        merchantId: id,
        mode: 'test',
        scopes: SCOPES,
        name: 'Demo',
      });
      merchants.push({ id, name, apiKey: secret });
    }
    await this.write({ merchants, users: [] });
  }

  /** Only the owner of the file may read it: it holds keys. */
  private async write(secrets: object): Promise<void> {
    const file = this.config.demoFile;
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    this.logger.log(`demo merchants made; their keys are in ${file}`);
  }
}
