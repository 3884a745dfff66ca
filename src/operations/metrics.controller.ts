import { Controller, Get, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../merchants/api-key.guard.js';
import { Metrics } from './metrics.js';

/** Prometheus metrics. Public: the reverse proxy must block it. */
@ApiExcludeController()
@Public()
@Controller({ path: 'metrics', version: VERSION_NEUTRAL })
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  async read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.type(this.metrics.contentType).header('cache-control', 'no-store');
    return this.metrics.text();
  }
}
