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
import { sendPage } from '../../common/page.js';
import type { Along } from '../../database/along.js';
import type { NotificationRecipient } from '../../database/entities/notification-recipient.entity.js';
import { RecipientsService } from '../../notifications/recipients/recipients.service.js';
import { formOf, goTo } from '../http.js';
import { AuditService } from '../people/audit.service.js';
import { FreshFactor } from '../people/fresh-factor.js';
import { PortalFilter } from '../portal.filter.js';
import { Portal } from '../portal.guard.js';
import { CurrentVisit, pathOf, type PlacedVisit } from '../visit.js';
import { attempt } from './form.js';
import { idOf } from './path-id.js';
import { recipientBody, recipientForm } from './recipient.form.js';
import {
  renderRecipient,
  renderRecipientDeletion,
  renderRecipients,
  renderNewRecipient,
} from './recipients.view.js';

const listOf = ({ place }: PlacedVisit): string => `${pathOf(place)}/recipients`;

/** Mailboxes that are told of paid orders. */
@ApiExcludeController()
@UseFilters(PortalFilter)
@Controller({ path: 'portal/m/:merchantId/:mode/recipients', version: VERSION_NEUTRAL })
export class RecipientsPagesController {
  constructor(
    private readonly recipients: RecipientsService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Portal('recipients.manage')
  async list(
    @CurrentVisit() visit: PlacedVisit,
    @Query('done') done: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { data } = await this.recipients.list(visit.place);
    sendPage(reply, 200, renderRecipients(visit, data, done));
  }

  @Get('new')
  @Portal('recipients.manage')
  blank(@CurrentVisit() visit: PlacedVisit, @Res() reply: FastifyReply): void {
    const { timeZone } = visit.place;
    const form = recipientForm({ locale: 'en', timeZone, minimumAmount: null });
    sendPage(reply, 200, renderNewRecipient({ visit, form }));
  }

  @Post('new')
  @Portal('recipients.manage')
  async add(
    @CurrentVisit() visit: PlacedVisit,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    await this.factor.demandLive(visit, form);
    const body = { ...recipientBody(form), email: form.get('email')?.trim() || null };
    const along = this.audited(visit, 'recipient.added');
    const added = await attempt(() => this.recipients.add(visit.place, body, along));
    if (added.problems) {
      return sendPage(reply, 422, renderNewRecipient({ visit, form, problems: added.problems }));
    }
    goTo(reply, `${listOf(visit)}?done=${wordOf(added.done)}`);
  }

  @Get(':id')
  @Portal('recipients.manage')
  async show(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const recipient = await this.recipients.get(visit.place, idOf(id));
    sendPage(reply, 200, renderRecipient({ visit, recipient, form: recipientForm(recipient) }));
  }

  @Post(':id')
  @Portal('recipients.manage')
  async change(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const form = formOf(request);
    const recipient = await this.recipients.get(visit.place, idOf(id));
    await this.factor.demandLive(visit, form);
    const along = this.audited(visit, 'recipient.changed');
    const { problems } = await attempt(() =>
      this.recipients.change(visit.place, recipient.id, recipientBody(form), along),
    );
    if (problems) {
      return sendPage(reply, 422, renderRecipient({ visit, recipient, form, problems }));
    }
    goTo(reply, `${listOf(visit)}?done=saved`);
  }

  /** A test mail; one that has not confirmed is asked again. */
  @Post(':id/test')
  @Portal('recipients.manage')
  async test(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const along = this.audited(visit, 'recipient.tested');
    const { status } = await this.recipients.test(visit.place, idOf(id), along);
    goTo(reply, `${listOf(visit)}?done=${status === 'confirmed' ? 'tested' : 'asked'}`);
  }

  @Get(':id/delete')
  @Portal('recipients.manage')
  async askDelete(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const recipient = await this.recipients.get(visit.place, idOf(id));
    sendPage(reply, 200, renderRecipientDeletion(visit, recipient));
  }

  @Post(':id/delete')
  @Portal('recipients.manage')
  async delete(
    @CurrentVisit() visit: PlacedVisit,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.factor.demandLive(visit, formOf(request));
    const along = this.audited(visit, 'recipient.deleted');
    await this.recipients.remove(visit.place, idOf(id), along);
    goTo(reply, `${listOf(visit)}?done=deleted`);
  }

  /** Without the address: it is erased with the recipient, and the log is not. */
  private audited(visit: PlacedVisit, action: string): Along<NotificationRecipient> {
    const { mode } = visit.place;
    return (tx, { id }) => this.audit.record(tx, visit, { action, subject: id, data: { mode } });
  }
}

type Added = Awaited<ReturnType<RecipientsService['add']>>;

function wordOf({ recipient, isNew }: Added): 'added' | 'known' | 'asked' {
  if (isNew) return 'added';
  return recipient.status === 'confirmed' ? 'known' : 'asked';
}
