import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { SCOPES } from '../database/entities/api-key.entity.js';
import { ApiKeysService } from '../merchants/api-keys.service.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import { newPassword, UsersService } from './people/users.service.js';
import type { Role } from './roles.js';

const DEMO_MERCHANTS = [
  { name: 'Nordlicht Store', colour: '0b4f9e', contactUrl: 'mailto:help@nordlicht.example' },
  { name: 'Café Zitrone', colour: '8a4b08', contactUrl: 'https://zitrone.example/help' },
];

/** The owner is that of the first merchant. */
const DEMO_USERS = [
  { email: 'operator@demo.example', name: 'Olga Operator', role: 'operator' },
  { email: 'owner@demo.example', name: 'Sofia Klein', role: 'owner' },
  { email: 'support@demo.example', name: 'Samir Support', role: 'support' },
] as const satisfies readonly { email: string; name: string; role: Role }[];

interface DemoMerchant {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
}

/** With `DEMO=1`, fills an empty database and writes the keys and passwords to `DEMO_FILE`. */
@Injectable()
export class DemoSeed implements OnApplicationBootstrap {
  private readonly logger = new Logger('demo');

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly merchants: MerchantsService,
    private readonly keys: ApiKeysService,
    private readonly users: UsersService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.demo || (await this.merchants.count()) > 0) return;
    const merchants: DemoMerchant[] = [];
    for (const demo of DEMO_MERCHANTS) merchants.push(await this.merchant(demo));
    const users = [];
    for (const user of DEMO_USERS) users.push(await this.user(user, merchants[0]!.id));
    await this.write({ merchants, users });
  }

  private async merchant(demo: (typeof DEMO_MERCHANTS)[number]): Promise<DemoMerchant> {
    const { id, name } = await this.merchants.create(demo);
    const { secret } = await this.keys.create({
      merchantId: id,
      mode: 'test',
      scopes: SCOPES,
      name: 'Demo',
    });
    return { id, name, apiKey: secret };
  }

  private async user({ email, name, role }: (typeof DEMO_USERS)[number], merchantId: string) {
    const password = newPassword();
    const atPlatform = role === 'owner' ? {} : { platformRole: role };
    const user = await this.users.create({ email, name, password, ...atPlatform });
    if (user && role === 'owner') {
      await this.database.transaction((tx) => this.users.join(tx, user.id, merchantId, role));
    }
    return { email, password, role };
  }

  /** Only the owner of the file may read it: it holds keys and passwords. */
  private async write(secrets: object): Promise<void> {
    const file = this.config.demoFile;
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    this.logger.log(`demo merchants and users made; their secrets are in ${file}`);
  }
}
