import { lookup } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Finds the addresses of a name. */
export abstract class Resolver {
  /** @throws Error with the `code` of the system's resolver when there are none */
  abstract lookup(name: string): Promise<readonly Address[]>;
}

/** As every other program on this machine does. */
@Injectable()
export class SystemResolver extends Resolver {
  lookup(name: string): Promise<readonly Address[]> {
    return lookup(name, { all: true, order: 'verbatim' });
  }
}
