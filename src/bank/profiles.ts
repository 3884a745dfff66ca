import { Injectable } from '@nestjs/common';
import { type CsvProfile, readCsvProfile } from '../bank-statements/csv/csv-profile.js';
import { namedProfile } from '../bank-statements/csv/named-profile.js';
import { CsvProfileRepository } from '../database/bank/csv-profile.repository.js';

/** How CSV is read. */
@Injectable()
export class BankProfiles {
  constructor(private readonly kept: CsvProfileRepository) {}

  /**
   * One that is kept in the portal, by its name; else one that comes along, or one in a file.
   * @throws StatementRefusedError
   */
  async find(name: string): Promise<CsvProfile> {
    const kept = await this.kept.findByName(name);
    return kept ? readCsvProfile(JSON.stringify(kept.profile)) : namedProfile(name);
  }
}
