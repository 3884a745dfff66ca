import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { uuidv7 } from '../common/ids.js';
import { Config } from '../config/config.js';
import type { CollectionAccount } from '../database/bank/collection-accounts/collection-account.entity.js';
import { CollectionAccountRepository } from '../database/bank/collection-accounts/collection-account.repository.js';
import { Database } from '../database/database.js';
import { SCOPES } from '../database/merchants/api-key.entity.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import type { BankAccount } from '../database/payouts/bank-accounts/bank-account.entity.js';
import { BankAccountRepository } from '../database/payouts/bank-accounts/bank-account.repository.js';
import type { MerchantRole } from '../database/people/membership.entity.js';
import type { PlatformRole, User } from '../database/people/user.entity.js';
import { ApiKeysService } from '../merchants/api-keys.service.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import { WAIT_MS } from '../payouts/bank-accounts.service.js';
import { newPassword, UsersService } from '../people/users.service.js';

const DEMO_MERCHANTS = [
  { name: 'Nordlicht Store', colour: '0b4f9e', contactUrl: 'mailto:help@nordlicht.example' },
  { name: 'Café Zitrone', colour: '8a4b08', contactUrl: 'https://zitrone.example/help' },
] as const;

interface DemoName {
  readonly email: string;
  readonly name: string;
}

interface DemoMember extends DemoName {
  readonly role: MerchantRole;
  /** Index in the list of merchants. */
  readonly at: number;
  /** Payout account of that merchant, added by this owner. */
  readonly iban?: string;
}

type DemoUser = DemoMember | (DemoName & { readonly role: PlatformRole });

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
  { email: 'developer@demo.example', name: 'Deniz Developer', role: 'developer', at: 0 },
  { email: 'finance@demo.example', name: 'Fiona Finance', role: 'finance', at: 0 },
  { email: 'viewer@demo.example', name: 'Victor Viewer', role: 'viewer', at: 0 },
];

/** Collection account for test orders in euros. */
const DEMO_COLLECTION = {
  mode: 'test',
  currency: 'EUR',
  holder: 'Demo Platform',
  account: 'DE75512108001245126199',
  bic: null,
  bankName: 'Demo Bank',
  position: 0,
  disabledAt: null,
  missingNotifiedAfter: null,
} as const;

interface DemoMerchant {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
}

interface DemoPerson {
  readonly demo: DemoUser;
  readonly password: string;
  readonly user: User;
}

/** With `DEMO=1`, seeds an empty database and writes the keys and passwords to `DEMO_FILE`. */
@Injectable()
export class DemoSeed implements OnApplicationBootstrap {
  private readonly logger = new Logger('demo');

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly merchants: MerchantsService,
    private readonly merchantRows: MerchantRepository,
    private readonly keys: ApiKeysService,
    private readonly users: UsersService,
    private readonly accounts: BankAccountRepository,
    private readonly collectionAccounts: CollectionAccountRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Atomic: the file is written before the commit, so after a crash there is either both or an empty database. Of
   * several processes one seeds.
   */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.demo || (await this.merchants.count()) > 0) return;
    const people = await Promise.all(DEMO_USERS.map((demo) => this.prepare(demo)));
    await this.database.transaction(async (tx) => {
      if (!(await this.merchantRows.lockIfNone(tx))) return;
      const merchants: DemoMerchant[] = [];
      for (const demo of DEMO_MERCHANTS) merchants.push(await this.merchant(tx, demo));
      await this.collectionAccounts.insert(tx, this.collectionAccount());
      for (const person of people) await this.insert(tx, person, merchants);
      const users = people.map(({ demo, password }) => {
        const { email, role } = demo;
        return { email, password, role };
      });
      await this.write({ merchants, users });
    });
  }

  /** Hash outside of the transaction, since it takes long. */
  private async prepare(demo: DemoUser): Promise<DemoPerson> {
    const { email, name } = demo;
    const password = newPassword();
    const atPlatform = 'at' in demo ? {} : { platformRole: demo.role };
    const user = await this.users.prepare({ email, name, password, ...atPlatform });
    return { demo, password, user };
  }

  private collectionAccount(): CollectionAccount {
    const createdAt = this.clock.now();
    return { ...DEMO_COLLECTION, id: uuidv7(createdAt.getTime()), createdAt };
  }

  private async merchant(
    tx: EntityManager,
    demo: (typeof DEMO_MERCHANTS)[number],
  ): Promise<DemoMerchant> {
    const { id, name } = await this.merchants.insert(tx, demo);
    const { secret } = await this.keys.insert(tx, {
      merchantId: id,
      mode: 'test',
      scopes: SCOPES,
      name: 'Demo',
    });
    return { id, name, apiKey: secret };
  }

  private async insert(
    tx: EntityManager,
    { demo, user }: DemoPerson,
    merchants: readonly DemoMerchant[],
  ): Promise<void> {
    await this.users.insert(tx, user);
    if (!('at' in demo)) return;
    const merchant = merchants[demo.at]!;
    await this.users.join(tx, user.id, merchant.id, demo.role);
    if (demo.iban) await this.accounts.insert(tx, this.accountOf(merchant, user, demo.iban));
  }

  /**
   * The bank account was added two days ago and its notices were sent a day later, so that a payout can be requested at
   * once.
   */
  private accountOf(merchant: DemoMerchant, { id }: User, iban: string): BankAccount {
    const now = this.clock.now();
    const noticedAt = new Date(now.getTime() - WAIT_MS);
    const createdAt = new Date(noticedAt.getTime() - WAIT_MS);
    return {
      merchantId: merchant.id,
      id: uuidv7(createdAt.getTime()),
      mode: 'test',
      holder: merchant.name,
      iban,
      createdBy: id,
      createdAt,
      usableFrom: now,
      noticedAt,
      confirmedBy: id,
      confirmedAt: createdAt,
      retiredAt: null,
    };
  }

  /** Makes the file readable for its owner only, replacing any existing one: it contains keys and passwords. */
  private async write(secrets: object): Promise<void> {
    const file = this.config.demoFile;
    const draft = `${file}.${randomUUID()}`;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    try {
      await writeFile(draft, `${JSON.stringify(secrets, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    this.logger.log(`demo merchants and users made; their secrets are in ${file}`);
  }
}
