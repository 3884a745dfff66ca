import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { Connection } from '../data-source.js';
import { CONNECTION } from '../database.js';
import { asProblem } from '../faults.js';
import { DoctorSession } from './doctor-session.js';
import type { Finding } from './fact.js';
import { FACTS } from './facts.js';

export interface Examination {
  /** One for each fact that was asked. */
  readonly findings: readonly Finding[];
  readonly seconds: number;
}

export interface Extent {
  /** Also what is true only while background jobs run. */
  readonly overdue: boolean;
  /** Ends the examination, whatever it is doing. */
  readonly signal?: AbortSignal;
}

/** Proves on the rows themselves that what must be true is true. It changes nothing. */
@Injectable()
export class Doctor {
  constructor(
    @Inject(CONNECTION) private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem `unavailable` when the database is away */
  async examine({ overdue, signal }: Extent): Promise<Examination> {
    const start = performance.now();
    const session = new DoctorSession(this.connection);
    const end = () => session.close();
    signal?.addEventListener('abort', end, { once: true });
    try {
      signal?.throwIfAborted();
      await session.start();
      const findings: Finding[] = [];
      for (const fact of FACTS.filter(({ isOverdue }) => overdue || !isOverdue)) {
        findings.push(await session.ask(fact, this.clock.now()));
      }
      return { findings, seconds: (performance.now() - start) / 1000 };
    } catch (error) {
      throw asProblem(error);
    } finally {
      signal?.removeEventListener('abort', end);
      session.close();
    }
  }
}

/** Facts that do not hold. */
export const brokenIn = ({ findings }: Pick<Examination, 'findings'>): Finding[] =>
  findings.filter(({ total }) => total > 0);
