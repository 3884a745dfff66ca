import { Get, Param, Post, Query } from '@nestjs/common';
import { CsvProfilesService } from '../../../../bank/import/csv-profiles.service.js';
import { type CsvProfile, readCsvProfile } from '../../../../bank-statements/csv/csv-profile.js';
import { CSV_PROFILES } from '../../../../bank-statements/csv/csv-profiles.js';
import { StatementRefusedError } from '../../../../bank-statements/refused.js';
import { CSV_PROFILES_MAX } from '../../../../database/bank/files/csv-profile.repository.js';
import type { KeptCsvProfile } from '../../../../database/bank/files/kept-csv-profile.entity.js';
import type { TransactionHook } from '../../../../database/transaction-hook.js';
import { AuditService } from '../../../../people/audit.service.js';
import { CurrentContext, type SignedInContext } from '../../../../people/portal-context.js';
import { notFound } from '../../../../people/refusal.js';
import { type PageAnswer, invalid, page, seeOther } from '../../../kit/answer.js';
import { formWith, type ParsedForm, type Problems, textOf } from '../../../kit/form.js';
import { Form } from '../../../kit/http.js';
import { idOf } from '../../../kit/path-id.js';
import { Needs, PortalController } from '../../../portal-controller.js';
import { CSV_PROFILES_PATH } from '../bank-path.js';
import { renderNewProfile, renderProfiles, renderRemovedProfile } from './profiles.view.js';

/** Profiles that map the columns of bank CSV files. */
@PortalController('platform/bank/profiles')
export class CsvProfilesController {
  constructor(
    private readonly profiles: CsvProfilesService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Needs('platform.read')
  async list(
    @CurrentContext() context: SignedInContext,
    @Query('done') done: unknown,
  ): Promise<PageAnswer> {
    return page(renderProfiles({ context, profiles: await this.profiles.list(), done }));
  }

  /** `from` names a built-in profile as the template. */
  @Get('new')
  @Needs('platform.payouts')
  blank(@CurrentContext() context: SignedInContext, @Query('from') from: unknown): PageAnswer {
    const start = CSV_PROFILES.find(({ name }) => name === from) ?? CSV_PROFILES[0]!;
    const json = JSON.stringify({ ...start, name: 'my-bank', ownAccount: '' }, null, 2);
    return page(renderNewProfile({ context, form: formWith({ profile: json }) }));
  }

  @Post('new')
  @Needs('platform.payouts')
  async add(
    @CurrentContext() context: SignedInContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const problems = await this.addTyped(context, form);
    if (problems) return invalid(renderNewProfile({ context, form, problems }));
    return seeOther(`${CSV_PROFILES_PATH}?done=added`);
  }

  @Get(':id/remove')
  @Needs('platform.payouts')
  async ask(
    @CurrentContext() context: SignedInContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return page(renderRemovedProfile(context, await this.find(id)));
  }

  @Post(':id/remove')
  @Needs('platform.payouts')
  async remove(
    @CurrentContext() context: SignedInContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const found = await this.find(id);
    const hook = this.audited(context, 'csv-profile.removed');
    await this.profiles.remove(found, context.session.userId, hook);
    return seeOther(`${CSV_PROFILES_PATH}?done=removed`);
  }

  /** Returns the problems, or undefined if the profile was saved. */
  private async addTyped(
    context: SignedInContext,
    form: URLSearchParams,
  ): Promise<Problems | undefined> {
    const read = profileIn(textOf(form, 'profile'));
    if (read.problems) return read.problems;
    const hook = this.audited(context, 'csv-profile.added');
    const added = await this.profiles.add(read.done, context.session.userId, hook);
    if (added === 'known')
      return { profile: 'A profile with this name exists. Choose another name.' };
    if (added === 'too_many') return { form: `You can save at most ${CSV_PROFILES_MAX} profiles.` };
    return undefined;
  }

  /** @throws Refusal 404 */
  private async find(id: string): Promise<KeptCsvProfile> {
    const found = await this.profiles.get(idOf(id));
    if (!found) throw notFound();
    return found;
  }

  private audited(context: SignedInContext, action: string): TransactionHook<KeptCsvProfile> {
    return (tx, { id, name }) =>
      this.audit.record(tx, context, { action, subject: id, data: { name } });
  }
}

function profileIn(json: string): ParsedForm<CsvProfile> {
  try {
    return { done: readCsvProfile(json) };
  } catch (error) {
    if (!(error instanceof StatementRefusedError)) throw error;
    return { problems: { profile: error.message } };
  }
}
