import { Injectable } from '@nestjs/common';
import { type CsvProfile, readCsvProfile } from '../bank-statements/csv/csv-profile.js';
import { namedProfile } from '../bank-statements/csv/named-profile.js';
import { CsvProfileRepository } from '../database/bank/csv-profile.repository.js';
import type { KeptCsvProfile } from '../database/bank/kept-csv-profile.entity.js';

/** How CSV is read, and the user who wrote that down; nobody did what comes along. */
export type WrittenProfile = CsvProfile & { readonly writtenBy?: string };

export const writtenProfile = ({ profile, createdBy }: KeptCsvProfile): WrittenProfile => ({
  ...readCsvProfile(JSON.stringify(profile)),
  writtenBy: createdBy,
});

/** How CSV is read. */
@Injectable()
export class BankProfiles {
  constructor(private readonly kept: CsvProfileRepository) {}

  /**
   * One that is kept in the portal, by its name; else one that comes along, or one in a file.
   * @throws StatementRefusedError
   */
  async find(name: string): Promise<WrittenProfile> {
    const kept = await this.kept.findByName(name);
    return kept ? writtenProfile(kept) : namedProfile(name);
  }
}
