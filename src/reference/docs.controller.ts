import { Controller, Get, Header, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isApiVersion, NEWEST_API_VERSION } from '../common/api-version.js';
import { sendAsset } from '../http/page.js';
import { Public } from '../merchants/api-key.guard.js';
import { LimitPages } from '../merchants/rate-limit.guard.js';
import { asset, isAssetName } from './docs-assets.js';
import { renderReferencePage } from './docs.view.js';
import { OpenApi } from './openapi/openapi.js';

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const DOCUMENT_NAME = /^openapi-(.+)\.json$/;

/** API reference with its assets. */
@ApiExcludeController()
@Public()
@LimitPages('documents')
@Controller({ path: 'docs', version: VERSION_NEUTRAL })
export class DocsController {
  constructor(private readonly openApi: OpenApi) {}

  @Get()
  @Header('content-type', HTML)
  show(): Promise<string> {
    return renderReferencePage(NEWEST_API_VERSION);
  }

  @Get('openapi.json')
  @Header('content-type', JSON_TYPE)
  document(): Buffer {
    return this.openApi.bytes(NEWEST_API_VERSION);
  }

  /** Reference page of an API version, or its OpenAPI document. */
  @Get(':name')
  async ofVersion(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    const [, written] = DOCUMENT_NAME.exec(name) ?? [];
    const version = written ?? name;
    if (!isApiVersion(version)) return void reply.callNotFound();
    if (written) return void reply.type(JSON_TYPE).send(this.openApi.bytes(version));
    void reply.type(HTML).send(await renderReferencePage(version));
  }

  @Get('assets/:name')
  async asset(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isAssetName(name)) return void reply.callNotFound();
    const found = await asset(name);
    sendAsset(request, reply, found.type, found);
  }
}
