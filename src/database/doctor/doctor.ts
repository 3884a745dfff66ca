import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import type { Connection } from '../data-source.js';
import { CONNECTION } from '../database.js';
import { asUnavailable } from '../faults.js';
import { DoctorSession } from './doctor-session.js';
import type { Finding } from './fact.js';
import { FACTS } from './facts.js';

export interface Examination {
  /** One per check. */
  readonly findings: readonly Finding[];
  readonly seconds: number;
}

export interface Extent {
  /** Includes checks for overdue work, which hold only while background jobs run. */
  readonly overdue: boolean;
  /** Aborts the run. */
  readonly signal?: AbortSignal;
}

/** Runs consistency checks on the stored rows. Read-only. */
@Injectable()
export class Doctor {
  constructor(
    @Inject(CONNECTION) private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  /** @throws UnavailableError when the database is unavailable */
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
      throw asUnavailable(error);
    } finally {
      signal?.removeEventListener('abort', end);
      session.close();
    }
  }
}

/** Failed checks. */
export const brokenIn = ({ findings }: Pick<Examination, 'findings'>): Finding[] =>
  findings.filter(({ total }) => total > 0);
