import { Module } from '@nestjs/common';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { PeopleModule } from '../people/people.module.js';
import { DemoSeed } from './demo-seed.js';

/** Merchants and people for a first look at an empty database. */
@Module({
  imports: [MerchantsModule, PeopleModule],
  providers: [DemoSeed],
})
export class DemoModule {}
