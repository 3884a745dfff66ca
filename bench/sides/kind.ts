import type { Query, SideDatabase } from './database.js';

/** A merchant's program. */
export interface Shop {
  readonly merchantId: string;
  readonly apiKey: string;
}

/** The first has the history, the second is there for its feed of events. */
export type Shops = readonly [Shop, Shop];

/** What a side is: the service, or its twin. */
export interface Kind {
  readonly name: string;
  /** In the build, beside `src/main.js`. */
  readonly program: string;
  env(database: SideDatabase, folder: string, url: string): Record<string, string>;
  /** Before the first start. */
  prepare(database: SideDatabase): Promise<void>;
  /** After it. */
  shops(folder: string): Shops;
  /** The cookie of somebody of the first shop. */
  signIn(url: string, folder: string): Promise<string>;
  /** Invents orders `first` to `last` of `count`, the oldest first. */
  seed(query: Query, merchantId: string, range: SeedRange): Promise<unknown>;
  /** SQL of the place in the feed of an event that nobody has read. */
  readonly position: string;
}

export interface SeedRange {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}
