import { Injectable } from '@nestjs/common';
import {
  type CsvProfile,
  PROFILE_NAME,
  readCsvProfile,
} from '../../bank-statements/csv/csv-profile.js';
import { namedProfile } from '../../bank-statements/csv/named-profile.js';
import { contentHash } from '../../common/canonical-json.js';
import { CsvProfileRepository } from '../../database/bank/files/csv-profile.repository.js';
import type { KeptCsvProfile } from '../../database/bank/files/kept-csv-profile.entity.js';

/** A CSV profile and the user who wrote it; a built-in one has no author. */
export type WrittenProfile = CsvProfile & { readonly writtenBy?: string };

export const writtenProfile = ({ profile, createdBy }: KeptCsvProfile): WrittenProfile => ({
  ...readCsvProfile(JSON.stringify(profile)),
  writtenBy: createdBy,
});

/** Fingerprint of a profile: equal for profiles that read a file the same way, whatever their names and authors. */
export const readingOf = (profile: WrittenProfile): string =>
  contentHash({ ...profile, name: undefined, writtenBy: undefined }).toString('hex');

/** CSV profiles. */
@Injectable()
export class BankProfiles {
  constructor(private readonly kept: CsvProfileRepository) {}

  /**
   * A profile saved in the portal, by name; otherwise a built-in one, or one from a file. A path always means a file.
   * @throws StatementRefusedError
   */
  async find(name: string): Promise<WrittenProfile> {
    const kept = PROFILE_NAME.test(name) ? await this.kept.findByName(name) : null;
    return kept ? writtenProfile(kept) : namedProfile(name);
  }
}
