import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { uuidv7 } from '../common/ids.js';
import type {
  CollectionAccountChange,
  CollectionAccountChangeKind,
} from '../database/bank/collection-accounts/collection-account-change.entity.js';
import {
  CollectionAccountChangeRepository,
  type OpenChange,
} from '../database/bank/collection-accounts/collection-account-change.repository.js';
import { CollectionAccountRepository } from '../database/bank/collection-accounts/collection-account.repository.js';
import { Database } from '../database/database.js';
import { violatedCheck, violatedUnique } from '../database/faults.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import { UserRepository } from '../database/people/user.repository.js';
import { Problem } from '../http/problems/problem.js';
import { LiveSafety } from '../merchants/live-safety.js';
import { type Actor, AuditService } from '../people/audit.service.js';
import { UserNotices } from '../people/mails/user-notices.js';
import type { SignedInContext } from '../people/portal-context.js';
import { notFound, Refusal } from '../people/refusal.js';
import type { NewCollectionAccount } from './account-fields.js';
import { changeNotice } from './change-notice.js';
import { CollectionAccountsService } from './collection-accounts.service.js';

/** Maximum changes per operator and 24 hours, since each sends a mail to every operator. */
export const PROPOSED_MAX = 20;
const DAY_MS = 24 * 3_600_000;

const JOB = 'collection-account-changes';
/** Milliseconds for which an operator still receives notices after their account was closed. */
const RECENTLY_CLOSED_MS = 7 * DAY_MS;

/** Actor in the audit log for changes that take effect automatically. */
const SERVICE = { session: null, access: null, address: 'service' } as const;

const APPLIED: Readonly<Record<CollectionAccountChangeKind, string>> = {
  add: 'collection-account.added',
  prefer: 'collection-account.preferred',
  disable: 'collection-account.disabled',
};

/** Every change has a proposer. */
type Proposer = Pick<SignedInContext, 'session' | 'access' | 'address'>;

type ProposedAccount = Pick<
  CollectionAccountChange,
  'currency' | 'holder' | 'account' | 'bic' | 'bankName'
>;

/**
 * Changes of live collection accounts: one operator proposes, another one confirms, and the change takes effect after
 * the waiting time. The database rejects every other way.
 */
@Injectable()
export class CollectionAccountChangesService implements OnModuleInit {
  private readonly logger = new Logger('collection-accounts');

  constructor(
    private readonly database: Database,
    private readonly changes: CollectionAccountChangeRepository,
    private readonly rows: CollectionAccountRepository,
    private readonly accounts: CollectionAccountsService,
    private readonly users: UserRepository,
    private readonly liveSafety: LiveSafety,
    private readonly audit: AuditService,
    private readonly notices: UserNotices,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(JOB, () => this.run());
  }

  /** Changes that have not taken effect, the oldest first. */
  listOpen(): Promise<OpenChange[]> {
    return this.changes.listOpen();
  }

  /** @throws Refusal 404 if the change took effect, was withdrawn, or does not exist */
  async findOpen(id: string): Promise<OpenChange> {
    const found = (await this.listOpen()).find((change) => change.id === id);
    if (!found) throw notFound();
    return found;
  }

  /**
   * @returns null if the account is in use for this currency, or its addition is already proposed
   * @throws LiveRefusedError; Problem `rate_limited` for an operator with too many proposals within 24 hours
   */
  proposeAdd(
    actor: Proposer,
    account: NewCollectionAccount,
  ): Promise<CollectionAccountChange | null> {
    return this.propose(actor, 'add', async (tx) => {
      await this.liveSafety.refuse(tx, 'live', 'Live collection accounts');
      const isInUse = await this.rows.isInUse(tx, account);
      return isInUse ? null : { ...account, id: uuidv7(this.clock.now().getTime()) };
    });
  }

  /** @returns null if the account is not in use, or this change is already proposed */
  proposeFor(
    actor: Proposer,
    kind: 'prefer' | 'disable',
    id: string,
  ): Promise<CollectionAccountChange | null> {
    return this.propose(actor, kind, async (tx) => {
      const account = await this.rows.lock(tx, id);
      return account?.mode === 'live' && account.disabledAt === null ? account : null;
    });
  }

  /**
   * Confirms a change. Only the proposer of a single-operator platform may confirm their own. Takes effect at once if
   * no waiting time applies.
   * @throws Refusal 403 for the proposer, or for a user who is no operator; 409 if the change awaits no confirmation
   */
  async confirm(context: SignedInContext, id: string): Promise<CollectionAccountChange> {
    const { userId } = context.session;
    const change = await this.decide(async (tx, now) => {
      const confirmed = await this.changes.confirm(tx, id, userId, now);
      if (!confirmed) throw isOver();
      await this.note(tx, context, 'collection-account.confirmed', confirmed);
      await this.notify(tx, confirmed);
      const isDue = confirmed.effectiveAt !== null && confirmed.effectiveAt <= now;
      return isDue ? await this.apply(tx, id, now) : confirmed;
    });
    if (change.effectiveAt) await this.jobs.wake(JOB, change.effectiveAt);
    await this.notices.wake();
    return change;
  }

  /** Any operator can withdraw a change until it takes effect. @throws Refusal 403; 409 if it is too late */
  withdraw(context: SignedInContext, id: string): Promise<CollectionAccountChange> {
    return this.decide(async (tx, now) => {
      const withdrawn = await this.changes.withdraw(tx, id, context.session.userId, now);
      if (!withdrawn) throw isOver();
      await this.note(tx, context, 'collection-account.withdrawn', withdrawn);
      return withdrawn;
    });
  }

  /** Applies changes whose waiting time is over, one after the other. */
  async run(): Promise<void> {
    for (const id of await this.changes.listDue(this.clock.now())) {
      await this.decide((tx, now) => this.apply(tx, id, now)).catch((error: unknown) =>
        this.logger.error(
          { event: 'collection_account.change.failed', err: error, change: id },
          'change of a collection account could not be applied',
        ),
      );
    }
  }

  private async propose(
    actor: Proposer,
    kind: CollectionAccountChangeKind,
    find: (tx: EntityManager) => Promise<(ProposedAccount & { readonly id: string }) | null>,
  ): Promise<CollectionAccountChange | null> {
    try {
      const change = await this.decide(async (tx, now) => {
        await this.refuseMore(tx, actor, now);
        const account = await find(tx);
        return account && this.insert(tx, actor, newChange(actor, kind, account, now));
      });
      if (change) await this.notices.wake();
      return change;
    } catch (error) {
      if (violatedUnique(error)?.startsWith('collection_account_changes_')) return null;
      throw error;
    }
  }

  private async refuseMore(tx: EntityManager, { session }: Proposer, now: Date): Promise<void> {
    const since = new Date(now.getTime() - DAY_MS);
    const proposed = await this.changes.countProposed(tx, session.userId, since);
    if (proposed >= PROPOSED_MAX) throw tooMany();
  }

  private async insert(
    tx: EntityManager,
    actor: Proposer,
    change: CollectionAccountChange,
  ): Promise<CollectionAccountChange> {
    await this.changes.insert(tx, change);
    await this.note(tx, actor, 'collection-account.proposed', change);
    await this.notify(tx, change);
    return change;
  }

  private async apply(tx: EntityManager, id: string, now: Date): Promise<CollectionAccountChange> {
    const applied = await this.changes.apply(tx, id, now);
    if (!applied) throw isOver();
    await this.note(tx, SERVICE, APPLIED[applied.kind], applied);
    return applied;
  }

  /** Serialises decisions, and clears the cache of this process. */
  private async decide<T>(work: (tx: EntityManager, now: Date) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(async (tx) => {
        await this.changes.lock(tx);
        return work(tx, this.clock.now());
      });
    } catch (error) {
      throw refusalOf(error) ?? error;
    } finally {
      this.accounts.clearShownCache();
    }
  }

  private note(
    tx: EntityManager,
    actor: Actor,
    action: string,
    { id, kind, accountId, currency, account, rule, effectiveAt }: CollectionAccountChange,
  ): Promise<void> {
    const data = { change: id, kind, mode: 'live', currency, account, rule, effectiveAt };
    return this.audit.record(tx, actor, { action, subject: accountId, data });
  }

  /** Notifies all operators, and those whose account was closed recently. */
  private async notify(tx: EntityManager, change: CollectionAccountChange): Promise<void> {
    const since = new Date(this.clock.now().getTime() - RECENTLY_CLOSED_MS);
    const operators = await this.users.operatorsSince(tx, since);
    const ids = operators.map(({ id }) => id);
    const names = new Map(operators.map(({ id, name }) => [id, name]));
    await this.notices.notify(tx, ids, changeNotice(change, names));
  }
}

const newChange = (
  { session, address }: Proposer,
  kind: CollectionAccountChangeKind,
  { id: accountId, currency, holder, account, bic, bankName }: ProposedAccount & { id: string },
  now: Date,
): CollectionAccountChange => ({
  id: uuidv7(now.getTime()),
  kind,
  accountId,
  currency,
  holder,
  account,
  bic,
  bankName,
  proposedBy: session.userId,
  proposedFrom: address,
  proposedAt: now,
  confirmedBy: null,
  confirmedAt: null,
  rule: null,
  effectiveAt: null,
  withdrawnBy: null,
  withdrawnAt: null,
  appliedAt: null,
  position: null,
});

const tooMany = (): Problem =>
  new Problem('rate_limited', {
    detail: `An operator can propose at most ${PROPOSED_MAX} changes within 24 hours. Propose this one tomorrow.`,
  });

const isOver = (): Refusal =>
  new Refusal(
    409,
    'This change is no longer open',
    'It was confirmed or withdrawn, or it has taken effect. See the list of accounts.',
  );

/** Error message for a violated check. */
function refusalOf(error: unknown): Refusal | null {
  switch (violatedCheck(error) ?? '') {
    case 'collection_account_changes_second_person':
      return new Refusal(
        403,
        'Another operator confirms this',
        'You proposed this change. A change of a live account needs confirmation by another operator.',
      );
    case 'collection_account_changes_operator':
      return new Refusal(
        403,
        'Only an operator decides this',
        'An account that is closed, or is not an operator’s, proposes, confirms and withdraws nothing.',
      );
    case 'collection_account_changes_of_account':
      return isOver();
    default:
      return null;
  }
}
