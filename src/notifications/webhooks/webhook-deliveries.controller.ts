import { Controller, Get, HttpCode, Post, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { LogPage } from '../../database/notifications/delivery-log.repository.js';
import { JsonBody } from '../../contract/json-body.decorator.js';
import { Operation } from '../../http/operation.decorator.js';
import { type Caller, CurrentCaller, NeedsScope } from '../../merchants/api-key.guard.js';
import { ResendEventsRequest } from './dto/webhook-endpoint.request.js';
import {
  WebhookDeliveryPageResponse,
  WebhookDeliveryResponse,
  WebhookDeliveryWithAttemptsResponse,
  WebhookResendResponse,
} from '../../contract/webhook-delivery.response.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { DeliveryIdOrNewest, EndpointIdOrNewest, LogQuery } from './webhook-parameters.js';

@ApiTags('webhooks')
@Controller({ path: 'webhook-endpoint/:id', version: ['1', VERSION_NEUTRAL] })
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Post('test')
  @HttpCode(202)
  @NeedsScope('notifications:write')
  @Operation({
    id: 'testWebhookEndpoint',
    summary: 'Send a test event',
    description:
      'Posts an event of the type `webhook.test`, about no order, once. Read the delivery to see what came of it. While the endpoint is disabled, the event waits.',
  })
  @ApiAcceptedResponse({
    type: WebhookDeliveryResponse,
    description: 'The delivery of the test event.',
  })
  test(
    @CurrentCaller() caller: Caller,
    @EndpointIdOrNewest() id: string,
  ): Promise<WebhookDeliveryResponse> {
    return this.deliveries.test(caller, id);
  }

  @Get('delivery')
  @NeedsScope('notifications:read')
  @Operation({
    id: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook endpoint',
    description: 'The newest first, of the last 60 days.',
  })
  @ApiOkResponse({ type: WebhookDeliveryPageResponse, description: 'One page of deliveries.' })
  list(
    @CurrentCaller() caller: Caller,
    @EndpointIdOrNewest() id: string,
    @LogQuery() page: LogPage,
  ): Promise<WebhookDeliveryPageResponse> {
    return this.deliveries.list(caller, id, page);
  }

  @Get('delivery/:deliveryId')
  @NeedsScope('notifications:read', 'events:read')
  @Operation({
    id: 'getWebhookDelivery',
    summary: 'Read a delivery with its attempts',
    description:
      'The key needs `events:read` too: in test mode the answers are shown, which may repeat an event.',
  })
  @ApiOkResponse({
    type: WebhookDeliveryWithAttemptsResponse,
    description: 'The delivery and every attempt that ended.',
  })
  get(
    @CurrentCaller() caller: Caller,
    @EndpointIdOrNewest() id: string,
    @DeliveryIdOrNewest() deliveryId: string,
  ): Promise<WebhookDeliveryWithAttemptsResponse> {
    return this.deliveries.get(caller, id, deliveryId);
  }

  @Post('delivery/:deliveryId/resend')
  @HttpCode(202)
  @NeedsScope('notifications:write', 'events:read')
  @Operation({
    id: 'resendWebhookDelivery',
    summary: 'Send an event again',
    description:
      'Whether it was delivered or not. The `webhook-id` stays the same. The key needs `events:read` too.',
  })
  @ApiAcceptedResponse({ type: WebhookDeliveryResponse, description: 'The new delivery.' })
  resend(
    @CurrentCaller() caller: Caller,
    @EndpointIdOrNewest() id: string,
    @DeliveryIdOrNewest() deliveryId: string,
  ): Promise<WebhookDeliveryResponse> {
    return this.deliveries.resend(caller, id, deliveryId);
  }

  @Post('resend')
  @HttpCode(202)
  @NeedsScope('notifications:write', 'events:read')
  @Operation({
    id: 'resendWebhookEvents',
    summary: 'Send the events of a time again',
    description:
      'Those that the endpoint wants and has not received, also if they happened before it existed. What waits for its next try is tried now, as fast as the endpoint takes it; what is under way is left alone. At most 1000 events a request: while the answer says `hasMore`, repeat it. While 20,000 of them wait, no more are queued (429 `rate_limited`). The key needs `events:read` too.',
  })
  @ApiAcceptedResponse({ type: WebhookResendResponse, description: 'How many events were queued.' })
  resendRange(
    @CurrentCaller() caller: Caller,
    @EndpointIdOrNewest() id: string,
    @JsonBody(ResendEventsRequest) request: ResendEventsRequest,
  ): Promise<WebhookResendResponse> {
    return this.deliveries.resendRange(caller, id, request);
  }
}
