/** Numbers out of records: where each field lies is said by the bindings. */
type Kind = "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "u64" | "i64" | "f32" | "f64";

interface Field {
  readonly at: number;
  readonly type: Kind;
  readonly shape: readonly number[];
}

interface Layout {
  readonly bytes: number;
  readonly fields: Readonly<Record<string, Field>>;
}

const BYTES = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, u64: 8, i64: 8, f32: 4, f64: 8 } as const;

/** A record at a place in memory. */
export class Fields<L extends Layout> {
  constructor(
    private readonly layout: L,
    private readonly view: DataView,
    private readonly base = 0,
  ) {}

  /** A number of a field; of one with several, the one at these indices. */
  get(name: keyof L["fields"] & string, ...index: number[]): number {
    const { type, place } = this.#place(name, index);
    switch (type) {
      case "u8":
        return this.view.getUint8(place);
      case "i8":
        return this.view.getInt8(place);
      case "u16":
        return this.view.getUint16(place, true);
      case "i16":
        return this.view.getInt16(place, true);
      case "u32":
        return this.view.getUint32(place, true);
      case "i32":
        return this.view.getInt32(place, true);
      case "u64":
        return Number(this.view.getBigUint64(place, true));
      case "i64":
        return Number(this.view.getBigInt64(place, true));
      case "f32":
        return this.view.getFloat32(place, true);
      case "f64":
        return this.view.getFloat64(place, true);
    }
  }

  /** Writes a number of a field. */
  set(name: keyof L["fields"] & string, value: number, ...index: number[]): void {
    const { type, place } = this.#place(name, index);
    switch (type) {
      case "u8":
      case "i8":
        return this.view.setInt8(place, value);
      case "u16":
      case "i16":
        return this.view.setInt16(place, value, true);
      case "u32":
      case "i32":
        return this.view.setInt32(place, value, true);
      case "u64":
      case "i64":
        return this.view.setBigInt64(place, BigInt(value), true);
      case "f32":
        return this.view.setFloat32(place, value, true);
      case "f64":
        return this.view.setFloat64(place, value, true);
    }
  }

  #place(name: string, index: readonly number[]): { type: Kind; place: number } {
    const field = this.layout.fields[name]!;
    const skipped = field.shape.reduce((sum, length, at) => sum * length + (index[at] ?? 0), 0);
    return { type: field.type, place: this.base + field.at + skipped * BYTES[field.type] };
  }
}
