import { Controller, Get, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import { preferred } from '../http/accepts.js';
import { Public } from '../merchants/api-key.guard.js';
import { LimitPages } from '../merchants/rate-limit.guard.js';
import { renderWelcome } from './welcome.view.js';
import { aboutService } from './welcome.js';

const JSON_TYPE = 'application/json';
const HTML_TYPE = 'text/html';

/** Root URL of the service: a page for people, and its links as JSON for programs. */
@ApiExcludeController()
@Public()
@LimitPages('documents')
@Controller({ path: '/', version: VERSION_NEUTRAL })
export class WelcomeController {
  constructor(private readonly config: Config) {}

  @Get()
  async show(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | object> {
    void reply.header('vary', 'accept');
    const { publicUrl, demo, demoFile } = this.config;
    const wanted = preferred(request.headers.accept, [JSON_TYPE, HTML_TYPE]);
    if (wanted !== HTML_TYPE) return aboutService(publicUrl);
    void reply.type(`${HTML_TYPE}; charset=utf-8`);
    return renderWelcome(demo ? demoFile : undefined);
  }
}
