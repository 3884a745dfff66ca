import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  Req,
  Res,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonBody, NEWEST, pathId, refuseUnknownParameters, send } from '../../common/http.js';
import { Operation } from '../../common/operation.decorator.js';
import { type Caller, CurrentCaller, NeedsScope } from '../../merchants/api-key.guard.js';
import { ChangeRecipientRequest, CreateRecipientRequest } from './recipient.request.js';
import { RecipientsService } from './recipients.service.js';

const RecipientId = pathId('id', 'recipient_not_found');
const RecipientIdOrNewest = pathId('id', 'recipient_not_found', NEWEST);

@ApiTags('notification recipients')
@Controller({ path: 'notification-recipient', version: ['1', VERSION_NEUTRAL] })
export class RecipientsController {
  constructor(private readonly recipients: RecipientsService) {}

  @Post()
  @NeedsScope('notifications:write', 'events:read')
  @ApiBody({ type: CreateRecipientRequest })
  @Operation({
    id: 'createNotificationRecipient',
    summary: 'Add a recipient of mails',
    description:
      'Mails about paid orders begin when the mailbox’s owner has confirmed, on a page to which a first mail leads; they name the payer, so the key needs `events:read` too. The same address again changes nothing, but asks once more when it has not confirmed: after five minutes, and then after pauses that grow to a week, also when it was deleted in between (429 `rate_limited` then). A mailbox that has unsubscribed is asked no more. At most 20 recipients are kept, and 40 mailboxes are asked within an hour.',
    takes: [],
    gives: 'NotificationRecipient',
    answers: {
      200: 'The address is there already: the recipient as it is now.',
      201: 'The new recipient.',
    },
    errors: ['too_many_recipients', 'recipient_unsubscribed'],
  })
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { recipient, isNew } = await this.recipients.add(caller, body);
    const location = isNew ? { location: `/api/notification-recipient/${recipient.id}` } : {};
    return answer(reply, caller, recipient, isNew ? 201 : 200, location);
  }

  @Get()
  @NeedsScope('notifications:read')
  @Operation({
    id: 'listNotificationRecipients',
    summary: 'List the recipients of mails',
    description: 'Those of this merchant in the mode of the key, the oldest first.',
    takes: [],
    gives: 'NotificationRecipientList',
    answers: { 200: 'The recipients.' },
    errors: [],
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    refuseUnknownParameters(request, []);
    return answer(reply, caller, await this.recipients.list(caller));
  }

  @Get(':id')
  @NeedsScope('notifications:read')
  @Operation({
    id: 'getNotificationRecipient',
    summary: 'Read a recipient of mails',
    takes: ['RecipientIdOrNewest'],
    gives: 'NotificationRecipient',
    answers: { 200: 'The recipient.' },
    errors: [],
  })
  async get(
    @CurrentCaller() caller: Caller,
    @RecipientIdOrNewest() id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return answer(reply, caller, await this.recipients.get(caller, id));
  }

  @Patch(':id')
  @NeedsScope('notifications:write')
  @ApiBody({ type: ChangeRecipientRequest })
  @Operation({
    id: 'changeNotificationRecipient',
    summary: 'Change a recipient of mails',
    description:
      'What is left out stays as it is; `"minimumAmount": null` asks for all orders again. The address cannot be changed: add another recipient.',
    takes: ['RecipientIdOrNewest'],
    gives: 'NotificationRecipient',
    answers: { 200: 'The recipient as it is now.' },
    errors: [],
  })
  async change(
    @CurrentCaller() caller: Caller,
    @RecipientIdOrNewest() id: string,
    @JsonBody() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return answer(reply, caller, await this.recipients.change(caller, id, body));
  }

  @Delete(':id')
  @HttpCode(204)
  @NeedsScope('notifications:write')
  @Operation({
    id: 'deleteNotificationRecipient',
    summary: 'Delete a recipient of mails',
    description: 'The address is erased, and mails that were not sent yet are cancelled.',
    takes: ['RecipientId'],
    gives: null,
    answers: { 204: 'The recipient is gone.' },
    errors: [],
  })
  async remove(@CurrentCaller() caller: Caller, @RecipientId() id: string): Promise<void> {
    await this.recipients.remove(caller, id);
  }

  @Post(':id/test')
  @NeedsScope('notifications:write')
  @Operation({
    id: 'testNotificationRecipient',
    summary: 'Send a test mail',
    description: '`lastDelivery` of the recipient tells, a moment later, what came of it.',
    takes: ['RecipientIdOrNewest'],
    gives: 'NotificationRecipient',
    answers: { 202: 'The mail is on its way.' },
    errors: ['recipient_unsubscribed'],
  })
  async test(
    @CurrentCaller() caller: Caller,
    @RecipientIdOrNewest() id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return answer(reply, caller, await this.recipients.test(caller, id), 202);
  }
}

const answer = (
  reply: FastifyReply,
  { version }: Caller,
  body: object,
  status = 200,
  more: { readonly location?: string } = {},
): string => send(reply, { ...more, status, body: JSON.stringify(body), apiVersion: version });
