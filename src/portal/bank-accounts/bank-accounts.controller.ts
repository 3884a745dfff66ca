import {
  Controller,
  Get,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../../common/clock.js';
import { sendPage } from '../../common/page.js';
import type { Along } from '../../database/along.js';
import type { BankAccount } from '../../database/entities/bank-account.entity.js';
import { BankAccountsService } from '../../payouts/bank-accounts.service.js';
import { PayoutSchedulesService } from '../../payouts/payout-schedules.service.js';
import { formOf, goTo } from '../http.js';
import { AuditService } from '../people/audit.service.js';
import { FreshFactor } from '../people/fresh-factor.js';
import { WRONG_CODE } from '../people/security.service.js';
import { UsersService } from '../people/users.service.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { GoTo } from '../refusal.js';
import { attempt } from '../settings/form.js';
import { CurrentVisit, type PlacedVisit } from '../visit.js';
import { AccountNotices } from './account-notices.js';
import { readAccount, refusedAccount } from './account.form.js';
import { renderConfirmation, renderNewAccount, renderRemoval } from './bank-account.view.js';
import { accountsPath, renderAccounts } from './bank-accounts.view.js';

/** Where a merchant is paid out to. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/bank-accounts', version: VERSION_NEUTRAL })
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
  @Portal('payouts.manage')
  async list(
    @CurrentVisit() visit: PlacedVisit,
    @Query('done') done: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const accounts = await this.accounts.list(visit.place);
    sendPage(reply, 200, renderAccounts({ visit, accounts, now: this.clock.now(), done }));
  }

  @Get('new')
  @Portal('payouts.manage')
  blank(@CurrentVisit() visit: PlacedVisit, @Res() reply: FastifyReply): void {
    sendPage(reply, 200, renderNewAccount({ visit, form: new URLSearchParams() }));
  }

  @Post('new')
  @Portal('payouts.manage')
  async add(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const problems = await this.addTyped(visit, form);
    if (problems) return sendPage(reply, 422, renderNewAccount({ visit, form, problems }));
    await this.notices.ring();
    goTo(reply, `${accountsPath(visit)}?done=added`);
  }

  @Get(':id/confirm')
  @Portal('bank-accounts.confirm')
  async askConfirm(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendPage(reply, 200, renderConfirmation(await this.waiting(visit, id)));
  }

  @Post(':id/confirm')
  @Portal('bank-accounts.confirm')
  async confirm(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.waiting(visit, id);
    if (page.needsCode && !(await this.factor.shown(visit, formOf(request)))) {
      return sendPage(reply, 422, renderConfirmation({ ...page, codeProblem: WRONG_CODE }));
    }
    const along = this.audited(visit, 'bank-account.confirmed');
    await this.accounts.confirm(visit.place, page.account.id, visit.session.userId, along);
    goTo(reply, `${accountsPath(visit)}?done=confirmed`);
  }

  @Get(':id/remove')
  @Portal('bank-accounts.confirm')
  async askRemove(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    sendPage(reply, 200, renderRemoval(await this.removal(visit, id)));
  }

  @Post(':id/remove')
  @Portal('bank-accounts.confirm')
  async remove(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = await this.removal(visit, id);
    await this.factor.demandLive(visit, formOf(request));
    const along = this.audited(visit, 'bank-account.removed');
    const { problems } = await attempt(() =>
      this.accounts.retire(visit.place, page.account.id, along),
    );
    if (problems) {
      return sendPage(reply, 409, renderRemoval({ ...page, problem: problems['form'] }));
    }
    goTo(reply, `${accountsPath(visit)}?done=removed`);
  }

  /** What is wrong with the form; nothing when the account is there now. */
  private async addTyped(visit: PlacedVisit, form: URLSearchParams) {
    const typed = readAccount(form);
    if (typed.problems) return typed.problems;
    await this.factor.demandLive(visit, form);
    const { userId } = visit.session;
    const along = this.audited(visit, 'bank-account.added');
    const added = await attempt(() => this.accounts.add(visit.place, typed.done, userId, along));
    if (added.problems) return added.problems;
    if (added.done) return undefined;
    return refusedAccount(await this.accounts.list(visit.place), typed.done.iban);
  }

  /** Whoever comes to confirm what is confirmed sees that it is. */
  private async waiting(visit: PlacedVisit, id: string) {
    const account = await this.accounts.find(visit.place, id);
    if (account.confirmedAt !== null) throw new GoTo(accountsPath(visit));
    // In live mode the guard has seen to it that there is a second factor.
    const needsCode = visit.session.hasSecondFactor && this.factor.isOwed(visit);
    return { visit, account, addedBy: await this.nameOf(account), needsCode };
  }

  private async removal(visit: PlacedVisit, id: string) {
    const account = await this.accounts.find(visit.place, id);
    const schedules = await this.schedules.list(visit.place);
    const scheduled = schedules
      .filter(({ bankAccountId }) => bankAccountId === account.id)
      .map(({ currency }) => currency);
    return { visit, account, addedBy: await this.nameOf(account), scheduled };
  }

  private async nameOf({ createdBy }: BankAccount): Promise<string | undefined> {
    return (await this.users.find(createdBy))?.name;
  }

  private audited(visit: PlacedVisit, action: string): Along<BankAccount> {
    return (tx, { id, mode, holder, iban }) =>
      this.audit.record(tx, visit, { action, subject: id, data: { mode, holder, iban } });
  }
}
