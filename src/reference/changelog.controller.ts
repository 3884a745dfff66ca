import { Controller, Get, Header, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../merchants/api-key.guard.js';
import { LimitPages } from '../merchants/rate-limit.guard.js';
import { renderChangelog } from './changelog.view.js';
import { OpenApi } from './openapi/openapi.js';

/** Changelog of the API. */
@ApiExcludeController()
@Public()
@LimitPages('documents')
@Controller({ path: 'changelog', version: VERSION_NEUTRAL })
export class ChangelogController {
  constructor(private readonly openApi: OpenApi) {}

  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  show(): Promise<string> {
    const operations = this.openApi.operations();
    return renderChangelog(operations.filter(({ operation }) => operation.deprecated));
  }
}
