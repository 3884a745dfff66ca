import { Get, Param, Post, Query } from '@nestjs/common';
import { parse } from '../../contract/parse.js';
import type { NotificationRecipient } from '../../database/notifications/notification-recipient.entity.js';
import type { TransactionHook } from '../../database/transaction-hook.js';
import {
  ChangeRecipientRequest,
  CreateRecipientRequest,
} from '../../notifications/recipients/dto/recipient.request.js';
import { RecipientsService } from '../../notifications/recipients/recipients.service.js';
import { AuditService } from '../../people/audit.service.js';
import { CurrentContext, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { FreshFactor } from '../../people/second-factor/fresh-factor.js';
import { type PageAnswer, invalid, page, seeOther } from '../kit/answer.js';
import { attempt } from '../kit/form.js';
import { Form } from '../kit/http.js';
import { idOf } from '../kit/path-id.js';
import { Needs, PortalController } from '../portal-controller.js';
import { recipientBody, recipientForm } from './recipient.form.js';
import {
  renderRecipient,
  renderRecipientDeletion,
  renderRecipients,
  renderNewRecipient,
} from './recipients.view.js';

const listOf = ({ access }: MerchantContext): string => `${pathOf(access)}/recipients`;

/** Recipients of emails about paid orders. */
@PortalController('m/:merchantId/:mode/recipients')
export class RecipientsPagesController {
  constructor(
    private readonly recipients: RecipientsService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Needs('recipients.manage')
  async list(
    @CurrentContext() context: MerchantContext,
    @Query('done') done: unknown,
  ): Promise<PageAnswer> {
    const { data } = await this.recipients.list(context.access);
    return page(renderRecipients(context, data, done));
  }

  @Get('new')
  @Needs('recipients.manage')
  blank(@CurrentContext() context: MerchantContext): PageAnswer {
    const { timeZone } = context.access;
    const form = recipientForm({ locale: 'en', timeZone, minimumAmount: null });
    return page(renderNewRecipient({ context, form }));
  }

  @Post('new')
  @Needs('recipients.manage')
  async add(
    @CurrentContext() context: MerchantContext,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.factor.demandLive(context, form);
    const body = { ...recipientBody(form), email: form.get('email')?.trim() || null };
    const hook = this.audited(context, 'recipient.added');
    const added = await attempt(() =>
      this.recipients.add(context.access, parse(CreateRecipientRequest, body), hook),
    );
    if (added.problems) {
      return invalid(renderNewRecipient({ context, form, problems: added.problems }));
    }
    return seeOther(`${listOf(context)}?done=${labelOf(added.done)}`);
  }

  @Get(':id')
  @Needs('recipients.manage')
  async show(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const recipient = await this.recipients.get(context.access, idOf(id));
    return page(renderRecipient({ context, recipient, form: recipientForm(recipient) }));
  }

  @Post(':id')
  @Needs('recipients.manage')
  async change(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    const recipient = await this.recipients.get(context.access, idOf(id));
    await this.factor.demandLive(context, form);
    const hook = this.audited(context, 'recipient.changed');
    const { problems } = await attempt(() =>
      this.recipients.change(
        context.access,
        recipient.id,
        parse(ChangeRecipientRequest, recipientBody(form)),
        hook,
      ),
    );
    if (problems) {
      return invalid(renderRecipient({ context, recipient, form, problems }));
    }
    return seeOther(`${listOf(context)}?done=saved`);
  }

  /** Sends a test email, or the confirmation email again if unconfirmed. */
  @Post(':id/test')
  @Needs('recipients.manage')
  async test(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const hook = this.audited(context, 'recipient.tested');
    const { status } = await this.recipients.test(context.access, idOf(id), hook);
    return seeOther(`${listOf(context)}?done=${status === 'confirmed' ? 'tested' : 'asked'}`);
  }

  @Get(':id/delete')
  @Needs('recipients.manage')
  async askDelete(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const recipient = await this.recipients.get(context.access, idOf(id));
    return page(renderRecipientDeletion(context, recipient));
  }

  @Post(':id/delete')
  @Needs('recipients.manage')
  async delete(
    @CurrentContext() context: MerchantContext,
    @Param('id') id: string,
    @Form() form: URLSearchParams,
  ): Promise<PageAnswer> {
    await this.factor.demandLive(context, form);
    const hook = this.audited(context, 'recipient.deleted');
    await this.recipients.remove(context.access, idOf(id), hook);
    return seeOther(`${listOf(context)}?done=deleted`);
  }

  /** Audits without the address: it is erased with the recipient, the audit log is not. */
  private audited(
    context: MerchantContext,
    action: string,
  ): TransactionHook<NotificationRecipient> {
    const { mode } = context.access;
    return (tx, { id }) => this.audit.record(tx, context, { action, subject: id, data: { mode } });
  }
}

type Added = Awaited<ReturnType<RecipientsService['add']>>;

function labelOf({ recipient, isNew }: Added): 'added' | 'known' | 'asked' {
  if (isNew) return 'added';
  return recipient.status === 'confirmed' ? 'known' : 'asked';
}
