import { Injectable } from '@nestjs/common';
import type { CsvProfile } from '../../bank-statements/csv/csv-profile.js';
import { CSV_PROFILES } from '../../bank-statements/csv/csv-profiles.js';
import { Clock } from '../../common/time/clock.js';
import { uuidv7 } from '../../common/ids.js';
import {
  CSV_PROFILES_MAX,
  CsvProfileRepository,
} from '../../database/bank/files/csv-profile.repository.js';
import type { KeptCsvProfile } from '../../database/bank/files/kept-csv-profile.entity.js';
import { Database } from '../../database/database.js';
import { noHook, type TransactionHook } from '../../database/transaction-hook.js';
import { type WrittenProfile, writtenProfile } from './profiles.js';

/** `known` = the name exists or is built in; `too_many` = the limit is reached. */
export type AddedProfile = 'added' | 'known' | 'too_many';

/** CSV profiles that operators created. */
@Injectable()
export class CsvProfilesService {
  constructor(
    private readonly database: Database,
    private readonly profiles: CsvProfileRepository,
    private readonly clock: Clock,
  ) {}

  /** Stored profiles, by name. */
  list(): Promise<KeptCsvProfile[]> {
    return this.profiles.list();
  }

  get(id: string): Promise<KeptCsvProfile | null> {
    return this.profiles.find(id);
  }

  /** A built-in or stored profile; undefined if no such name exists. */
  async find(name: string): Promise<WrittenProfile | undefined> {
    const known = CSV_PROFILES.find((profile) => profile.name === name);
    if (known) return known;
    const kept = await this.profiles.findByName(name);
    return kept ? writtenProfile(kept) : undefined;
  }

  /** @param profile result of `readCsvProfile` @param createdBy the user */
  add(
    profile: CsvProfile,
    createdBy: string,
    hook: TransactionHook<KeptCsvProfile> = noHook,
  ): Promise<AddedProfile> {
    const { name } = profile;
    const createdAt = this.clock.now();
    const id = uuidv7(createdAt.getTime());
    const kept = { id, name, profile: { ...profile }, createdBy, createdAt };
    if (CSV_PROFILES.some((known) => known.name === name)) return Promise.resolve('known');
    return this.database.transaction(async (tx) => {
      if ((await this.profiles.count(tx)) >= CSV_PROFILES_MAX) return 'too_many';
      if (!(await this.profiles.insert(tx, kept))) return 'known';
      await hook(tx, kept);
      return 'added';
    });
  }

  /** @returns false if it does not exist any more */
  remove(
    profile: KeptCsvProfile,
    removedBy: string,
    hook: TransactionHook<KeptCsvProfile> = noHook,
  ) {
    return this.database.transaction(async (tx) => {
      if (!(await this.profiles.remove(tx, profile.id, removedBy, this.clock.now()))) return false;
      await hook(tx, profile);
      return true;
    });
  }
}
