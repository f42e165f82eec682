import { describe, expect, it } from 'vitest';
import { parseSearch, readFilters, without, withoutValue, withValue, writeFilters } from './filters';

describe('filters', () => {
  it('come back from the link that they made', () => {
    const filters = { namespace: ['shop', 'a&b=c'], state: ['stuck'], q: ['<b> ü'], since: ['15m'] };
    expect(readFilters(writeFilters(filters))).toEqual(filters);
  });

  it('make the same link in any order', () => {
    expect(writeFilters({ state: ['open'], namespace: ['shop'] })).toBe(
      writeFilters({ namespace: ['shop'], state: ['open'] }),
    );
  });

  it('leave alone what they do not know', () => {
    expect(readFilters('view=table&namespace=shop&namespace=shop&name=')).toEqual({ namespace: ['shop'] });
  });

  it('of one group have its prefix', () => {
    expect(readFilters('a.namespace=x&b.namespace=y', 'b.')).toEqual({ namespace: ['y'] });
  });

  it('are typed as words', () => {
    expect(parseSearch('namespace:shop state:stuck image pull user:"Ann Lee"')).toEqual({
      namespace: ['shop'],
      state: ['stuck'],
      user: ['Ann Lee'],
      q: ['image pull'],
    });
    expect(parseSearch('https://example.com')).toEqual({ q: ['https://example.com'] });
  });

  it('are added and taken away', () => {
    const both = withValue(withValue({}, 'kind', 'Pod'), 'kind', 'Job');
    expect(both).toEqual({ kind: ['Pod', 'Job'] });
    expect(withoutValue(both, 'kind', 'Pod')).toEqual({ kind: ['Job'] });
    expect(withoutValue({ kind: ['Job'] }, 'kind', 'Job')).toEqual({});
    expect(withValue({ since: ['1h'] }, 'since', '6h')).toEqual({ since: ['6h'] });
    expect(without(both, 'kind')).toEqual({});
  });
});
