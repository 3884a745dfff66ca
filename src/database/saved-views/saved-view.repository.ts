import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Database, type Statement } from '../database.js';
import type { LimitedRepository } from '../limited-repository.js';
import type { Batcher } from '../../overload/batcher.js';
import { gatheredLookup, lookup } from '../lookup.js';
import { SavedView } from './saved-view.entity.js';

/** User and merchant of a view. */
export type ViewOwner = Pick<SavedView, 'merchantId' | 'userId'>;

/** A view in the list. */
export type ListedView = Pick<SavedView, 'name' | 'query'>;

interface Listed {
  readonly views: readonly ListedView[];
}

const LIST = lookup(
  'saved_view_list',
  { merchantId: 'uuid', userId: 'uuid' },
  ({ merchantId, userId }) => `
    SELECT coalesce(json_agg(json_build_object('name', name, 'query', query) ORDER BY name), '[]')
      AS views
    FROM saved_views WHERE merchant_id = ${merchantId} AND user_id = ${userId}`,
);

/** Saving under an existing name replaces the view. */
const SAVE: Statement = {
  name: 'saved_view_save',
  text: `INSERT INTO saved_views (merchant_id, user_id, name, query, created_at)
    SELECT $1, $2, $3, $4, $5
    WHERE (SELECT count(*) FROM saved_views
      WHERE merchant_id = $1 AND user_id = $2 AND name <> $3) < $6
    ON CONFLICT (merchant_id, user_id, name) DO UPDATE SET query = excluded.query
    RETURNING name`,
};

/** Stores saved views. */
@Injectable()
export class SavedViewRepository {
  private readonly lists: Batcher<ViewOwner, Listed | null>;

  constructor(
    private readonly database: Database,
    @InjectRepository(SavedView) private readonly views: LimitedRepository<SavedView>,
  ) {
    this.lists = gatheredLookup(database, LIST, 'views');
  }

  /** By name. */
  async list({ merchantId, userId }: ViewOwner): Promise<readonly ListedView[]> {
    return (await this.lists.ask({ merchantId, userId }))!.views;
  }

  /** @returns false when the limit `max` is reached */
  async save(view: SavedView, max: number): Promise<boolean> {
    const { merchantId, userId, name, query, createdAt } = view;
    const values = [merchantId, userId, name, query, createdAt, max];
    return (await this.database.query(SAVE, values)).length === 1;
  }

  async remove({ merchantId, userId }: ViewOwner, name: string): Promise<void> {
    await this.views.delete({ merchantId, userId, name });
  }
}
