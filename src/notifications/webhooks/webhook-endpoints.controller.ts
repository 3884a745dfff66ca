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
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { JsonBody } from '../../common/http.js';
import { Operation } from '../../common/operation.decorator.js';
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
import type {
  EndpointList,
  EndpointResponse,
  EndpointWithSecret,
} from './dto/webhook-endpoint.response.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import { EndpointId, EndpointIdOrNewest, OptionalJsonBody } from './webhook-parameters.js';

@ApiTags('webhooks')
@Controller({ path: 'webhook-endpoint', version: ['1', VERSION_NEUTRAL] })
export class WebhookEndpointsController {
  constructor(private readonly endpoints: WebhookEndpointsService) {}

  @Post()
  @NeedsScope('notifications:write', 'events:read')
  @ApiBody({ type: CreateWebhookEndpointRequest })
  @Operation({
    id: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description:
      'Events of this mode are posted to the URL from now on, signed as [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0 says. The key needs `events:read` too, as whatever decides what an endpoint hears. The answer has the `secret` that verifies them; it is not shown again. Payouts are told only to endpoints that somebody made or changed who may read them, such as a key with `payouts:read`. All owners are written to when a key makes a live endpoint or points one elsewhere: ten times in 24 hours at most.',
    takes: [],
    gives: 'WebhookEndpointWithSecret',
    answers: { 201: 'The new endpoint, with its secret.' },
    errors: ['too_many_webhook_endpoints'],
  })
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointWithSecret> {
    const endpoint = await this.endpoints.create(editorOf(caller), body);
    void reply.header('location', `/api/webhook-endpoint/${endpoint.id}`);
    return endpoint;
  }

  @Get()
  @NeedsScope('notifications:read')
  @Operation({
    id: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints',
    takes: [],
    gives: 'WebhookEndpointList',
    answers: { 200: 'Every endpoint of this mode, the oldest first.' },
    errors: [],
  })
  list(@CallerAlone() caller: Caller): Promise<EndpointList> {
    return this.endpoints.list(caller);
  }

  @Get(':id')
  @NeedsScope('notifications:read')
  @Operation({
    id: 'getWebhookEndpoint',
    summary: 'Read a webhook endpoint',
    takes: ['EndpointIdOrNewest'],
    gives: 'WebhookEndpoint',
    answers: { 200: 'The endpoint.' },
    errors: [],
  })
  get(
    @CurrentCaller() caller: Caller,
    @EndpointIdOrNewest() id: string,
  ): Promise<EndpointResponse> {
    return this.endpoints.get(caller, id);
  }

  @Patch(':id')
  @NeedsScope('notifications:write')
  @ApiBody({ type: ChangeWebhookEndpointRequest })
  @Operation({
    id: 'changeWebhookEndpoint',
    summary: 'Change a webhook endpoint',
    description:
      'An endpoint that was disabled keeps what was on its way; `"enabled": true` lets it go on. That, another URL and more types of events need the scope `events:read` too.',
    takes: ['EndpointIdOrNewest'],
    gives: 'WebhookEndpoint',
    answers: { 200: 'The endpoint, changed.' },
    errors: [],
  })
  change(
    @CurrentCaller() caller: Caller,
    @EndpointIdOrNewest() id: string,
    @JsonBody() body: unknown,
  ): Promise<EndpointResponse> {
    return this.endpoints.change(editorOf(caller), id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @NeedsScope('notifications:write')
  @Operation({
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'What is on its way to it is cancelled.',
    takes: ['EndpointId'],
    gives: null,
    answers: { 204: 'The endpoint is gone.' },
    errors: [],
  })
  remove(@CurrentCaller() caller: Caller, @EndpointId() id: string): Promise<void> {
    return this.endpoints.remove(caller, id);
  }

  @Post(':id/secret')
  @HttpCode(200)
  @NeedsScope('notifications:write')
  @ApiBody({ type: RollSecretRequest, required: false })
  @Operation({
    id: 'rollWebhookSecret',
    summary: 'Roll the secret of a webhook endpoint',
    description:
      'Makes a new secret. Until the overlap is over, events carry a signature of each, so that no moment is bad for the change.',
    takes: ['EndpointIdOrNewest'],
    gives: 'WebhookEndpointWithSecret',
    answers: { 200: 'The endpoint, with its new secret.' },
    errors: [],
  })
  roll(
    @CurrentCaller() caller: Caller,
    @EndpointIdOrNewest() id: string,
    @OptionalJsonBody() body: unknown,
  ): Promise<EndpointWithSecret> {
    return this.endpoints.roll(caller, id, body);
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
