import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull } from 'typeorm';
import type { LimitedRepository } from '../limited-repository.js';
import { PayoutFile } from './payout-file.entity.js';

const IS_DOWNLOADED = `SELECT EXISTS (SELECT FROM audit_entries WHERE merchant_id IS NULL
  AND subject = $1 AND action = 'payout-file.downloaded') AS found`;

/** Reads only the start of a possibly long file. */
const BEGINNINGS = `SELECT left(content, $2) AS beginning FROM payout_files WHERE id = ANY ($1::uuid[])`;

/** Stores payout files. */
@Injectable()
export class PayoutFileRepository {
  constructor(
    @InjectRepository(PayoutFile) private readonly files: LimitedRepository<PayoutFile>,
  ) {}

  async insert(tx: EntityManager, file: PayoutFile): Promise<void> {
    await tx.insert(PayoutFile, file);
  }

  find(id: string): Promise<PayoutFile | null> {
    return this.files.findOneBy({ id });
  }

  /** The first characters of each file. */
  async beginningsOf(
    tx: EntityManager,
    ids: readonly string[],
    characters: number,
  ): Promise<string[]> {
    const files = await tx.query<{ beginning: string }[]>(BEGINNINGS, [ids, characters]);
    return files.map(({ beginning }) => beginning);
  }

  /** @returns false when it was marked as not sent before */
  async notSent(tx: EntityManager, id: string, now: Date): Promise<boolean> {
    const unsaid = { id, notSentAt: IsNull() };
    return (await tx.update(PayoutFile, unsaid, { notSentAt: now })).affected === 1;
  }

  /** Whether the file was downloaded, according to the audit log. The caller holds its lock. */
  async isDownloaded(tx: EntityManager, id: string): Promise<boolean> {
    const [{ found }] = await tx.query<[{ found: boolean }]>(IS_DOWNLOADED, [id]);
    return found;
  }
}
