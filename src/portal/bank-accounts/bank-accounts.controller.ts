import { Get, Param, Post, Query } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import type { BankAccount } from '../../database/payouts/bank-accounts/bank-account.entity.js';
import type { TransactionHook } from '../../database/transaction-hook.js';
import { BankAccountsService } from '../../payouts/bank-accounts.service.js';
import { PayoutSchedulesService } from '../../payouts/payout-schedules.service.js';
import { AuditService } from '../../people/audit.service.js';
import { CurrentContext, type MerchantContext } from '../../people/portal-context.js';
import { GoTo } from '../../people/refusal.js';
import { FreshFactor } from '../../people/second-factor/fresh-factor.js';
import { WRONG_CODE } from '../../people/security.service.js';
import { UsersService } from '../../people/users.service.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { attempt } from '../kit/form.js';
import { Form } from '../kit/http.js';
import { accountsPath } from '../kit/payout-text.js';
import { Needs, PortalController } from '../portal-controller.js';
import { AccountNotices } from './account-notices.js';
import { readAccount, refusedAccount } from './account.form.js';
import { renderConfirmation, renderNewAccount, renderRemoval } from './bank-account.view.js';
import { renderAccounts } from './bank-accounts.view.js';

/** Bank accounts that receive payouts. */
@PortalController('m/:merchantId/:mode/bank-accounts')
export class BankAccountsController {
  constructor(
    private readonly accounts: BankAccountsService,
    private readonly schedules: PayoutSchedulesService,
    private readonly notices: AccountNotices,
    private readonly users: UsersService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Needs('payouts.manage')
  async list(
    @CurrentContext() context: MerchantContext,
    @Query('done') done: unknown,
  ): Promise<PageAnswer> {
    const accounts = await this.accounts.list(context.access);
    return page(renderAccounts({ context, accounts, now: this.clock.now(), done }));
  }

  @Get('new')
  @Needs('payouts.manage')
  blank(@CurrentContext() context: MerchantContext): PageAnswer {
    return page(renderNewAccount({ context, form: new URLSearchParams() }));
  }

  @Post('new')
  @Needs('payouts.manage')
  async add(
    @CurrentContext() context: MerchantContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const problems = await this.addTyped(context, form);
    if (problems) return invalid(renderNewAccount({ context, form, problems }));
    await this.notices.wake();
    return seeOther(`${accountsPath(context)}?done=added`);
  }

  @Get(':id/confirm')
  @Needs('bank-accounts.confirm')
  async askConfirm(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return page(renderConfirmation(await this.waiting(context, id)));
  }

  @Post(':id/confirm')
  @Needs('bank-accounts.confirm')
  async confirm(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const found = await this.waiting(context, id);
    if (found.needsCode && !(await this.factor.shown(context, form))) {
      return invalid(renderConfirmation({ ...found, codeProblem: WRONG_CODE }));
    }
    const hook = this.audited(context, 'bank-account.confirmed');
    await this.accounts.confirm(context.access, found.account.id, context.session.userId, hook);
    return seeOther(`${accountsPath(context)}?done=confirmed`);
  }

  @Get(':id/remove')
  @Needs('bank-accounts.confirm')
  async askRemove(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return page(renderRemoval(await this.removal(context, id)));
  }

  @Post(':id/remove')
  @Needs('bank-accounts.confirm')
  async remove(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const found = await this.removal(context, id);
    await this.factor.demandLive(context, form);
    const hook = this.audited(context, 'bank-account.removed');
    const { problems } = await attempt(() =>
      this.accounts.retire(context.access, found.account.id, hook),
    );
    if (problems) {
      return page(renderRemoval({ ...found, problem: problems['form'] }), 409);
    }
    return seeOther(`${accountsPath(context)}?done=removed`);
  }

  /** Returns the problems, or undefined if the account was added. */
  private async addTyped(context: MerchantContext, form: URLSearchParams) {
    const typed = readAccount(form);
    if (typed.problems) return typed.problems;
    await this.factor.demandLive(context, form);
    const { userId } = context.session;
    const hook = this.audited(context, 'bank-account.added');
    const added = await attempt(() => this.accounts.add(context.access, typed.done, userId, hook));
    if (added.problems) return added.problems;
    if (added.done) return undefined;
    return refusedAccount(await this.accounts.list(context.access), typed.done.iban);
  }

  /** Redirects to the list if the account is already confirmed. */
  private async waiting(context: MerchantContext, id: string) {
    const account = await this.accounts.find(context.access, id);
    if (account.confirmedAt !== null) throw new GoTo(accountsPath(context));
    // In live mode, the guard already requires two-factor authentication.
    const needsCode = context.session.hasSecondFactor && this.factor.isRequired(context);
    return { context, account, addedBy: await this.nameOf(account), needsCode };
  }

  private async removal(context: MerchantContext, id: string) {
    const account = await this.accounts.find(context.access, id);
    const schedules = await this.schedules.list(context.access);
    const scheduled = schedules
      .filter(({ bankAccountId }) => bankAccountId === account.id)
      .map(({ currency }) => currency);
    return { context, account, addedBy: await this.nameOf(account), scheduled };
  }

  private async nameOf({ createdBy }: BankAccount): Promise<string | undefined> {
    return (await this.users.find(createdBy))?.name;
  }

  private audited(context: MerchantContext, action: string): TransactionHook<BankAccount> {
    return (tx, { id, mode, holder, iban }) =>
      this.audit.record(tx, context, { action, subject: id, data: { mode, holder, iban } });
  }
}
