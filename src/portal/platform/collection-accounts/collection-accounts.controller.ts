import { Get, Param, Post, Query } from '@nestjs/common';
import {
  isAccount,
  type NewCollectionAccount,
  readCollectionAccount,
} from '../../../collection-accounts/account-fields.js';
import { CollectionAccountChangesService } from '../../../collection-accounts/collection-account-changes.service.js';
import { CollectionAccountsService } from '../../../collection-accounts/collection-accounts.service.js';
import type { CollectionAccount } from '../../../database/bank/collection-accounts/collection-account.entity.js';
import type { Mode } from '../../../database/merchants/api-key.entity.js';
import type { TransactionHook } from '../../../database/transaction-hook.js';
import { AuditService } from '../../../people/audit.service.js';
import { CurrentContext, type SignedInContext } from '../../../people/portal-context.js';
import { notFound, Refusal } from '../../../people/refusal.js';
import { type PageAnswer, invalid, page, seeOther } from '../../kit/answer.js';
import { attempt, type Problems, textOf } from '../../kit/form.js';
import { Form } from '../../kit/http.js';
import { idOf } from '../../kit/path-id.js';
import { Needs, PortalController } from '../../portal-controller.js';
import { modeOf } from '../payouts/platform-path.js';
import { collectionAccountsPath } from './collection-accounts-path.js';
import {
  renderCollectionAccounts,
  renderDisabling,
  renderNewCollectionAccount,
} from './collection-accounts.view.js';

/**
 * The platform's own bank accounts that receive transfers. Test accounts change immediately; changes to live accounts
 * are proposed first.
 */
@PortalController('platform/collection-accounts/:mode')
export class CollectionAccountsController {
  constructor(
    private readonly accounts: CollectionAccountsService,
    private readonly changes: CollectionAccountChangesService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Needs('platform.read')
  async list(
    @CurrentContext() context: SignedInContext,
    @Param('mode') text: string,
    @Query('done') done: unknown,
  ): Promise<PageAnswer> {
    const mode = modeOf(text);
    const [accounts, changes] = await Promise.all([
      this.accounts.list(mode),
      mode === 'live' ? this.changes.listOpen() : [],
    ]);
    return page(renderCollectionAccounts({ context, mode, accounts, changes, done }));
  }

  @Get('new')
  @Needs('platform.payouts')
  blank(@CurrentContext() context: SignedInContext, @Param('mode') mode: string): PageAnswer {
    const form = new URLSearchParams();
    return page(renderNewCollectionAccount({ context, mode: modeOf(mode), form }));
  }

  @Post('new')
  @Needs('platform.payouts')
  async add(
    @CurrentContext() context: SignedInContext,
    @Param('mode') text: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const mode = modeOf(text);
    const problems = await this.addTyped(context, mode, form);
    if (problems) return invalid(renderNewCollectionAccount({ context, mode, form, problems }));
    const done = mode === 'live' ? 'proposed' : 'added';
    return seeOther(`${collectionAccountsPath(mode)}?done=${done}`);
  }

  @Post(':id/prefer')
  @Needs('platform.payouts')
  async prefer(
    @CurrentContext() context: SignedInContext,
    @Param() { mode = '', id = '' }: Record<string, string>,
  ): Promise<PageAnswer> {
    const account = await this.find(modeOf(mode), id);
    if (account.mode === 'live') return this.propose(context, 'prefer', account);
    await this.accounts.prefer(account.id, this.audited(context, 'collection-account.preferred'));
    return seeOther(`${collectionAccountsPath('test')}?done=saved`);
  }

  @Get(':id/disable')
  @Needs('platform.payouts')
  async ask(
    @CurrentContext() context: SignedInContext,
    @Param() { mode = '', id = '' }: Record<string, string>,
  ): Promise<PageAnswer> {
    const account = await this.find(modeOf(mode), id);
    return page(renderDisabling(context, account));
  }

  @Post(':id/disable')
  @Needs('platform.payouts')
  async disable(
    @CurrentContext() context: SignedInContext,
    @Param() { mode = '', id = '' }: Record<string, string>,
  ): Promise<PageAnswer> {
    const account = await this.find(modeOf(mode), id);
    if (account.mode === 'live') return this.propose(context, 'disable', account);
    await this.accounts.disable(account.id, this.audited(context, 'collection-account.disabled'));
    return seeOther(`${collectionAccountsPath('test')}?done=disabled`);
  }

  /** @throws Refusal 409 */
  private async propose(
    context: SignedInContext,
    kind: 'prefer' | 'disable',
    { id }: CollectionAccount,
  ): Promise<PageAnswer> {
    if (!(await this.changes.proposeFor(context, kind, id))) throw cannotBeProposed();
    return seeOther(`${collectionAccountsPath('live')}?done=proposed`);
  }

  /** Returns the problems, or undefined if the account was added or proposed. */
  private async addTyped(
    context: SignedInContext,
    mode: Mode,
    form: URLSearchParams,
  ): Promise<Problems | undefined> {
    const read = readCollectionAccount({
      mode,
      currency: textOf(form, 'currency').toUpperCase(),
      holder: textOf(form, 'holder'),
      account: textOf(form, 'account'),
      bic: textOf(form, 'bic') || null,
      bankName: textOf(form, 'bankName') || null,
    });
    if (!isAccount(read)) return read;
    const result = await attempt(() => this.addOrPropose(context, read));
    if (result.problems) return result.problems;
    return result.done ? undefined : { account: IN_USE[mode] };
  }

  /** @returns null if the account exists already */
  private addOrPropose(context: SignedInContext, account: NewCollectionAccount): Promise<unknown> {
    if (account.mode === 'live') return this.changes.proposeAdd(context, account);
    return this.accounts.add(account, this.audited(context, 'collection-account.added'));
  }

  /** @throws Refusal 404 */
  private async find(mode: Mode, id: string): Promise<CollectionAccount> {
    const account = await this.accounts.get(idOf(id));
    if (account?.mode !== mode) throw notFound();
    return account;
  }

  private audited(context: SignedInContext, action: string): TransactionHook<CollectionAccount> {
    return (tx, { id, mode, currency, account }) =>
      this.audit.record(tx, context, { action, subject: id, data: { mode, currency, account } });
  }
}

const IN_USE: Readonly<Record<Mode, string>> = {
  test: 'This account is already in use for this currency, or known under another form of its number.',
  live: 'This account is already in use or proposed for this currency, or known under another form of its number.',
};

const cannotBeProposed = (): Refusal =>
  new Refusal(
    409,
    'This change cannot be proposed',
    'The same change is already pending, or the account is no longer in use.',
  );
