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
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { JsonBody } from '../../contract/json-body.decorator.js';
import { Operation } from '../../http/operation.decorator.js';
import {
  type Caller,
  CallerAlone,
  CurrentCaller,
  NeedsScope,
} from '../../merchants/api-key.guard.js';
import {
  ChangeWebhookEndpointRequest,
  CreateWebhookEndpointRequest,
  RollSecretRequest,
} from './dto/webhook-endpoint.request.js';
import {
  WebhookEndpointListResponse,
  WebhookEndpointResponse,
  WebhookEndpointWithSecretResponse,
} from '../../contract/webhook-endpoint.response.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import { EndpointId, EndpointIdOrNewest } from './webhook-parameters.js';

@ApiTags('webhooks')
@Controller({ path: 'webhook-endpoint', version: ['1', VERSION_NEUTRAL] })
export class WebhookEndpointsController {
  constructor(private readonly endpoints: WebhookEndpointsService) {}

  @Post()
  @NeedsScope('notifications:write', 'events:read')
  @Operation({
    id: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'Events of this mode are posted to the URL from now on, signed as [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0 says. The key needs `events:read` too, like every operation that decides which events an endpoint receives. The answer has the `secret` that verifies them; it is not shown again. Payout events are sent only to endpoints that were created or changed with the right to read payouts, such as by a key with `payouts:read`. All owners receive a mail when a key creates a live endpoint or changes its URL: ten times in 24 hours at most.',
    errors: ['too_many_webhook_endpoints'],
  })
  @ApiCreatedResponse({
    type: WebhookEndpointWithSecretResponse,
    description: 'The new endpoint, with its secret.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(CreateWebhookEndpointRequest) request: CreateWebhookEndpointRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookEndpointWithSecretResponse> {
    const endpoint = await this.endpoints.create(editorOf(caller), request);
    void reply.header('location', `/api/webhook-endpoint/${endpoint.id}`);
    return endpoint;
  }

  @Get()
  @NeedsScope('notifications:read')
  @Operation({
    id: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints',
    description: 'Those of this merchant in the mode of the key, the oldest first.',
  })
  @ApiOkResponse({
    type: WebhookEndpointListResponse,
    description: 'Every endpoint of this mode, the oldest first.',
  })
  list(@CallerAlone() caller: Caller): Promise<WebhookEndpointListResponse> {
    return this.endpoints.list(caller);
  }

  @Get(':id')
  @NeedsScope('notifications:read')
  @Operation({
    id: 'getWebhookEndpoint',
    summary: 'Read a webhook endpoint',
    description: 'Where its events go, which they are, and whether it answers; not its secret.',
  })
  @ApiOkResponse({ type: WebhookEndpointResponse, description: 'The endpoint.' })
  get(
    @CurrentCaller() caller: Caller,
    @EndpointIdOrNewest() id: string,
  ): Promise<WebhookEndpointResponse> {
    return this.endpoints.get(caller, id);
  }

  @Patch(':id')
  @NeedsScope('notifications:write')
  @Operation({
    id: 'changeWebhookEndpoint',
    summary: 'Change a webhook endpoint',
    description:
      'An endpoint that was disabled keeps what was on its way; `"enabled": true` lets it go on at once, also with what waits for its next try. That, another URL and more types of events need the scope `events:read` too.',
  })
  @ApiOkResponse({ type: WebhookEndpointResponse, description: 'The endpoint, changed.' })
  change(
    @CurrentCaller() caller: Caller,
    @EndpointIdOrNewest() id: string,
    @JsonBody(ChangeWebhookEndpointRequest) request: ChangeWebhookEndpointRequest,
  ): Promise<WebhookEndpointResponse> {
    return this.endpoints.change(editorOf(caller), id, request);
  }

  @Delete(':id')
  @HttpCode(204)
  @NeedsScope('notifications:write')
  @Operation({
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'What is on its way to it is cancelled.',
  })
  @ApiNoContentResponse({ description: 'The endpoint is gone.' })
  remove(@CurrentCaller() caller: Caller, @EndpointId() id: string): Promise<void> {
    return this.endpoints.remove(caller, id);
  }

  @Post(':id/secret')
  @HttpCode(200)
  @NeedsScope('notifications:write')
  @Operation({
    id: 'rollWebhookSecret',
    summary: 'Roll the secret of a webhook endpoint',
    description:
      'Makes a new secret. Until the overlap is over, events carry a signature of each, so that no moment is bad for the change.',
  })
  @ApiOkResponse({
    type: WebhookEndpointWithSecretResponse,
    description: 'The endpoint, with its new secret.',
  })
  roll(
    @CurrentCaller() caller: Caller,
    @EndpointIdOrNewest() id: string,
    @JsonBody(RollSecretRequest, { isOptional: true }) request: RollSecretRequest,
  ): Promise<WebhookEndpointWithSecretResponse> {
    return this.endpoints.roll(caller, id, request);
  }
}

const editorOf = (caller: Caller) => ({
  ...caller,
  author: {
    madeBy: null,
    madeByKey: caller.id,
    seesEvents: caller.scopes.includes('events:read'),
    seesPayouts: caller.scopes.includes('payouts:read'),
    address: caller.address,
  },
});
