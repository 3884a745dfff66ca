import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull } from 'typeorm';
import { insertOf, parametersOf } from '../../entity-sql.js';
import type { LimitedRepository } from '../../limited-repository.js';
import { KeptCsvProfile } from './kept-csv-profile.entity.js';

const INSERT = `${insertOf(
  KeptCsvProfile,
  parametersOf(['id', 'name', 'profile', 'createdBy', 'createdAt']),
)} ON CONFLICT (name) WHERE removed_at IS NULL DO NOTHING RETURNING id`;

const IN_USE = { removedAt: IsNull() } as const;

/** Maximum active profiles. */
export const CSV_PROFILES_MAX = 100;

@Injectable()
export class CsvProfileRepository {
  constructor(
    @InjectRepository(KeptCsvProfile) private readonly profiles: LimitedRepository<KeptCsvProfile>,
  ) {}

  /** Active profiles, by name. */
  list(): Promise<KeptCsvProfile[]> {
    return this.profiles.find({ where: IN_USE, order: { name: 'ASC' }, take: CSV_PROFILES_MAX });
  }

  find(id: string): Promise<KeptCsvProfile | null> {
    return this.profiles.findOneBy({ id, ...IN_USE });
  }

  findByName(name: string): Promise<KeptCsvProfile | null> {
    return this.profiles.findOneBy({ name, ...IN_USE });
  }

  count(tx: EntityManager): Promise<number> {
    return tx.count(KeptCsvProfile, { where: IN_USE });
  }

  /** @returns false when an active profile has the name */
  async insert(tx: EntityManager, profile: KeptCsvProfile): Promise<boolean> {
    const { id, name, profile: json, createdBy, createdAt } = profile;
    const values = [id, name, JSON.stringify(json), createdBy, createdAt];
    return (await tx.query<unknown[]>(INSERT, values)).length === 1;
  }

  /** @returns false when it was not active */
  async remove(
    tx: EntityManager,
    id: string,
    removedBy: string,
    removedAt: Date,
  ): Promise<boolean> {
    const removed = await tx.update(KeptCsvProfile, { id, ...IN_USE }, { removedBy, removedAt });
    return removed.affected === 1;
  }
}
