import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { insertOf, parametersOf } from '../entity-sql.js';
import type { GatedRepository } from '../gated-repository.js';
import { KeptCsvProfile } from './kept-csv-profile.entity.js';

const INSERT = `${insertOf(
  KeptCsvProfile,
  parametersOf(['id', 'name', 'profile', 'createdBy', 'createdAt']),
)} ON CONFLICT (name) DO NOTHING RETURNING id`;

/** Profiles that are kept at once. */
export const CSV_PROFILES_MAX = 100;

@Injectable()
export class CsvProfileRepository {
  constructor(
    @InjectRepository(KeptCsvProfile) private readonly profiles: GatedRepository<KeptCsvProfile>,
  ) {}

  /** By name. */
  list(): Promise<KeptCsvProfile[]> {
    return this.profiles.find({ order: { name: 'ASC' }, take: CSV_PROFILES_MAX });
  }

  find(id: string): Promise<KeptCsvProfile | null> {
    return this.profiles.findOneBy({ id });
  }

  findByName(name: string): Promise<KeptCsvProfile | null> {
    return this.profiles.findOneBy({ name });
  }

  count(tx: EntityManager): Promise<number> {
    return tx.count(KeptCsvProfile);
  }

  /** @returns whether there was none of that name */
  async insert(tx: EntityManager, profile: KeptCsvProfile): Promise<boolean> {
    const { id, name, profile: json, createdBy, createdAt } = profile;
    const values = [id, name, JSON.stringify(json), createdBy, createdAt];
    return (await tx.query<unknown[]>(INSERT, values)).length === 1;
  }

  async remove(tx: EntityManager, id: string): Promise<boolean> {
    return (await tx.delete(KeptCsvProfile, { id })).affected === 1;
  }
}
