import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { uuidv7 } from '../common/ids.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { SCOPES } from '../database/entities/api-key.entity.js';
import type { PlatformRole } from '../database/entities/user.entity.js';
import { BankAccountRepository } from '../database/repositories/bank-account.repository.js';
import { ApiKeysService } from '../merchants/api-keys.service.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import { WAIT_MS } from '../payouts/bank-accounts.service.js';
import { newPassword, UsersService } from './people/users.service.js';

const DEMO_MERCHANTS = [
  { name: 'Nordlicht Store', colour: '0b4f9e', contactUrl: 'mailto:help@nordlicht.example' },
  { name: 'Café Zitrone', colour: '8a4b08', contactUrl: 'https://zitrone.example/help' },
] as const;

interface DemoPerson {
  readonly email: string;
  readonly name: string;
}

interface DemoOwner extends DemoPerson {
  readonly role: 'owner';
  /** Place of the merchant in the list above. */
  readonly at: number;
  /** Where that merchant is paid out to. */
  readonly iban: string;
}

type DemoUser = DemoOwner | (DemoPerson & { readonly role: PlatformRole });

const DEMO_USERS: readonly DemoUser[] = [
  { email: 'operator@demo.example', name: 'Olga Operator', role: 'operator' },
  {
    email: 'owner@demo.example',
    name: 'Sofia Klein',
    role: 'owner',
    at: 0,
    iban: 'DE02120300000000202051',
  },
  { email: 'support@demo.example', name: 'Samir Support', role: 'support' },
  {
    email: 'owner2@demo.example',
    name: 'Luca Limone',
    role: 'owner',
    at: 1,
    iban: 'AT611904300234573201',
  },
];

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
    private readonly accounts: BankAccountRepository,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.demo || (await this.merchants.count()) > 0) return;
    const merchants: DemoMerchant[] = [];
    for (const demo of DEMO_MERCHANTS) merchants.push(await this.merchant(demo));
    const users = [];
    for (const user of DEMO_USERS) users.push(await this.user(user, merchants));
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

  private async user(demo: DemoUser, merchants: readonly DemoMerchant[]) {
    const { email, name, role } = demo;
    const password = newPassword();
    const atPlatform = role === 'owner' ? {} : { platformRole: role };
    const user = await this.users.create({ email, name, password, ...atPlatform });
    if (user && demo.role === 'owner') await this.own(merchants[demo.at]!, user.id, demo);
    return { email, password, role };
  }

  /** The bank account was added a day ago, so that a payout can be asked for at once. */
  private async own(merchant: DemoMerchant, userId: string, { iban }: DemoOwner): Promise<void> {
    const now = this.clock.now();
    const createdAt = new Date(now.getTime() - WAIT_MS);
    await this.database.transaction(async (tx) => {
      await this.users.join(tx, userId, merchant.id, 'owner');
      await this.accounts.insert(tx, {
        merchantId: merchant.id,
        id: uuidv7(createdAt.getTime()),
        mode: 'test',
        holder: merchant.name,
        iban,
        createdBy: userId,
        createdAt,
        usableFrom: now,
        confirmedBy: userId,
        confirmedAt: createdAt,
        retiredAt: null,
      });
    });
  }

  /** Only the owner of the file may read it: it holds keys and passwords. */
  private async write(secrets: object): Promise<void> {
    const file = this.config.demoFile;
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    this.logger.log(`demo merchants and users made; their secrets are in ${file}`);
  }
}
