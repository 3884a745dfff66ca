import { Controller, Get, Header, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../merchants/api-key.guard.js';
import { LimitPages } from '../merchants/rate-limit.guard.js';
import { asset, isAssetName } from './docs-assets.js';
import { renderReferencePage } from './docs.view.js';
import { OpenApi } from './openapi/openapi.js';

const HTML = 'text/html; charset=utf-8';

/** The reference of the API, and what its pages load. */
@ApiExcludeController()
@Public()
@LimitPages('documents')
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
export class DocsController {
  constructor(private readonly openApi: OpenApi) {}

  @Get()
  @Header('content-type', HTML)
  show(): Promise<string> {
    return renderReferencePage();
  }

  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  document(): Buffer {
    return this.openApi.bytes();
  }

  @Get('assets/:name')
  async asset(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isAssetName(name)) return void reply.callNotFound();
    const { type, plain, gzipped } = await asset(name);
    const compressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (compressed) void reply.header('content-encoding', 'gzip');
    void reply
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      })
      .type(type)
      .send(compressed ? gzipped : plain);
  }
}
