import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  Res,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RecipientListResponse, RecipientResponse } from '../../contract/recipient.response.js';
import { JsonBody } from '../../contract/json-body.decorator.js';
import { NEWEST } from '../../common/ids.js';
import { pathId } from '../../http/parameters.js';
import { Operation } from '../../http/operation.decorator.js';
import {
  type Caller,
  CallerAlone,
  CurrentCaller,
  NeedsScope,
} from '../../merchants/api-key.guard.js';
import { ChangeRecipientRequest, CreateRecipientRequest } from './dto/recipient.request.js';
import { RecipientsService } from './recipients.service.js';

const RECIPIENT_ID = {
  name: 'id',
  component: 'RecipientId',
  description: 'The recipient',
  notFound: 'recipient_not_found',
} as const;
const RecipientId = pathId(RECIPIENT_ID);
const RecipientIdOrNewest = pathId(RECIPIENT_ID, NEWEST);

@ApiTags('notification recipients')
@Controller({ path: 'notification-recipient', version: ['1', VERSION_NEUTRAL] })
export class RecipientsController {
  constructor(private readonly recipients: RecipientsService) {}

  @Post()
  @NeedsScope('notifications:write', 'events:read')
  @Operation({
    id: 'createNotificationRecipient',
    summary: 'Add a recipient of mails',
    description:
      'Mails about paid orders begin when the mailbox’s owner has confirmed, on a page to which a first mail leads; they name the payer, so the key needs `events:read` too. The same address again changes nothing, but asks once more when it has not confirmed: after five minutes, and then after pauses that grow to a week, also when it was deleted in between (429 `rate_limited` then). A mailbox that has unsubscribed is asked no more. At most 20 recipients are kept, and 40 mailboxes are asked within an hour.',
    errors: ['too_many_recipients', 'recipient_unsubscribed'],
  })
  @ApiOkResponse({
    type: RecipientResponse,
    description: 'The address is there already: the recipient as it is now.',
  })
  @ApiCreatedResponse({ type: RecipientResponse, description: 'The new recipient.' })
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(CreateRecipientRequest) request: CreateRecipientRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecipientResponse> {
    const { recipient, isNew } = await this.recipients.add(caller, request);
    if (isNew) void reply.header('location', `/api/notification-recipient/${recipient.id}`);
    else void reply.status(200);
    return recipient;
  }

  @Get()
  @NeedsScope('notifications:read')
  @Operation({
    id: 'listNotificationRecipients',
    summary: 'List the recipients of mails',
    description: 'Those of this merchant in the mode of the key, the oldest first.',
  })
  @ApiOkResponse({ type: RecipientListResponse, description: 'The recipients.' })
  list(@CallerAlone() caller: Caller): Promise<RecipientListResponse> {
    return this.recipients.list(caller);
  }

  @Get(':id')
  @NeedsScope('notifications:read')
  @Operation({
    id: 'getNotificationRecipient',
    summary: 'Read a recipient of mails',
    description: 'Whether the mailbox’s owner agreed, and what came of the newest mail to it.',
  })
  @ApiOkResponse({ type: RecipientResponse, description: 'The recipient.' })
  get(
    @CurrentCaller() caller: Caller,
    @RecipientIdOrNewest() id: string,
  ): Promise<RecipientResponse> {
    return this.recipients.get(caller, id);
  }

  @Patch(':id')
  @NeedsScope('notifications:write')
  @Operation({
    id: 'changeNotificationRecipient',
    summary: 'Change a recipient of mails',
    description:
      'What is left out stays as it is; `"minimumAmount": null` asks for all orders again. The address cannot be changed: add another recipient.',
  })
  @ApiOkResponse({ type: RecipientResponse, description: 'The recipient as it is now.' })
  change(
    @CurrentCaller() caller: Caller,
    @RecipientIdOrNewest() id: string,
    @JsonBody(ChangeRecipientRequest) request: ChangeRecipientRequest,
  ): Promise<RecipientResponse> {
    return this.recipients.change(caller, id, request);
  }

  @Delete(':id')
  @HttpCode(204)
  @NeedsScope('notifications:write')
  @Operation({
    id: 'deleteNotificationRecipient',
    summary: 'Delete a recipient of mails',
    description: 'The address is erased, and mails that were not sent yet are cancelled.',
  })
  @ApiNoContentResponse({ description: 'The recipient is gone.' })
  async remove(@CurrentCaller() caller: Caller, @RecipientId() id: string): Promise<void> {
    await this.recipients.remove(caller, id);
  }

  @Post(':id/test')
  @HttpCode(202)
  @NeedsScope('notifications:write')
  @Operation({
    id: 'testNotificationRecipient',
    summary: 'Send a test mail',
    description: '`lastDelivery` of the recipient has the result a moment later.',
    errors: ['recipient_unsubscribed'],
  })
  @ApiAcceptedResponse({ type: RecipientResponse, description: 'The mail is on its way.' })
  test(
    @CurrentCaller() caller: Caller,
    @RecipientIdOrNewest() id: string,
  ): Promise<RecipientResponse> {
    return this.recipients.test(caller, id);
  }
}
