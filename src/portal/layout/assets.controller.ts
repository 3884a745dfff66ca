import { Controller, Get, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { forEver } from '../../http/page.js';
import { Public } from '../../merchants/api-key.guard.js';
import { PORTAL_SCRIPT, SHEET } from './assets.js';

/** Stylesheet and script of all pages. */
@ApiExcludeController()
@Public()
@Controller({ path: 'portal/assets', version: VERSION_NEUTRAL })
export class AssetsController {
  @Get('portal.css')
  css(@Res({ passthrough: true }) reply: FastifyReply): Buffer {
    forEver(reply).type('text/css; charset=utf-8');
    return SHEET;
  }

  @Get('portal.js')
  script(@Res({ passthrough: true }) reply: FastifyReply): Buffer {
    forEver(reply).type('text/javascript; charset=utf-8');
    return PORTAL_SCRIPT;
  }
}
