import { Controller, HttpCode, Param, Post, Req, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { RAW_BODY } from '../http/body-parsers.js';
import { Public } from '../merchants/api-key.guard.js';
import { FailedAttempts } from '../merchants/failed-attempts.js';
import { ProviderCallbacksService } from './provider-callbacks.service.js';

/** Receives provider callbacks, which are authenticated by their signature. */
@ApiExcludeController()
@Public()
@Controller({ path: 'provider-callback', version: VERSION_NEUTRAL })
export class ProviderCallbacksController {
  constructor(
    private readonly callbacks: ProviderCallbacksService,
    private readonly failedAttempts: FailedAttempts,
  ) {}

  @Post(':provider/:account')
  @HttpCode(200)
  @RouteConfig(RAW_BODY)
  async receive(
    @Param('provider') provider: string,
    @Param('account') account: string,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const callback = { headers: request.headers, body };
    const event = await this.failedAttempts.attempt('callbacks', request.ip, () =>
      this.callbacks.receive(provider, account, callback),
    );
    if (event) this.callbacks.applyLater(event);
    return { received: true };
  }
}
